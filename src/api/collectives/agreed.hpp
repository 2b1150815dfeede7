// A call of a blocking collective: its number on the communicator, and the arguments that must match those of the
// other ranks, published while the call lasts. If the job hangs, mpiexec compares them. The call is counted before
// its arguments are checked, so that all ranks count alike even if some have wrong arguments.
#pragma once

#include "api/call.hpp"

namespace antiphon::api {

class Agreed {
 public:
  Agreed(Process& process, objects::Comm& comm) : call_(process.call()) {
    if (!comm.is_inter()) [[likely]]  // else the two groups need not agree
      nth_ = comm.next_blocking_collective();
  }
  Agreed(const Agreed&) = delete;
  Agreed& operator=(const Agreed&) = delete;
  ~Agreed() { call_.collective.nth = 0; }

  void on(progress::Agreed what) {
    what.nth = nth_;
    call_.collective = what;
  }
  static std::int64_t bytes(MPI_Count count, const objects::Datatype& type) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(count) * static_cast<std::uint64_t>(type.size()));
  }

 private:
  progress::CallContext& call_;
  std::uint32_t nth_ = 0;
};

}  // namespace antiphon::api
