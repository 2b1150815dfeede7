// While a function of the user's runs, called from inside an MPI call: no lock of ours is held, so it may call MPI
// itself. Nothing found in a handle table before is still certain afterwards, unless a reference is kept.
#pragma once

#include "process/process.hpp"

namespace antiphon::api {

class UserCode {
 public:
  explicit UserCode(process::Process& process) : process_(process), procedure_(process.call().procedure) {
    process_.lane().unlock();
  }
  ~UserCode() {
    process_.lane().lock();
    process_.call().procedure = procedure_;
  }
  UserCode(const UserCode&) = delete;
  UserCode& operator=(const UserCode&) = delete;

 private:
  process::Process& process_;
  const char* procedure_;
};

}  // namespace antiphon::api
