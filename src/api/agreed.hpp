// What a call of a blocking collective has to have in common with those of the others, noted while it lasts: if the
// job hangs, mpiexec compares the notes.
#pragma once

#include "api/call.hpp"

namespace antiphon::api {

class Agreed {
 public:
  Agreed(Process& process, objects::Comm& comm, progress::Agreed what) : call_(process.call()) {
    if (comm.is_inter()) [[unlikely]]
      return;  // the two groups need not agree
    what.nth = comm.next_blocking_collective();
    call_.collective = what;
  }
  Agreed(const Agreed&) = delete;
  Agreed& operator=(const Agreed&) = delete;
  ~Agreed() { call_.collective.nth = 0; }

  static std::int64_t bytes(MPI_Count count, const objects::Datatype& type) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(count) * static_cast<std::uint64_t>(type.size()));
  }

 private:
  progress::CallContext& call_;
};

}  // namespace antiphon::api
