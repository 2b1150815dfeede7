#include "api/current.hpp"

namespace antiphon::api {

constinit Current current;

// Never destroyed, because exit handlers may still call MPI.
process::Anytime& make_anytime() {
  auto* mine = new process::Anytime;
  process::Anytime* theirs = nullptr;
  if (current.anytime.compare_exchange_strong(theirs, mine)) return *mine;
  delete mine;
  return *theirs;
}

}  // namespace antiphon::api
