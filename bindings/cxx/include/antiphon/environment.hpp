// MPI from here to the end of the scope, and the communicator of everybody:
//
//   int main() {
//     antiphon::environment mpi;
//     auto world = antiphon::world();
//     ...
//   }
#pragma once

#include <mpi.h>

#include <cstdio>
#include <exception>

#include "communicator.hpp"
#include "error.hpp"

namespace antiphon {

// All processes that were started together; usable while there is an environment, or between MPI_Init and
// MPI_Finalize.
inline communicator world() noexcept { return communicator(MPI_COMM_WORLD); }

// This process alone.
inline communicator self() noexcept { return communicator(MPI_COMM_SELF); }

enum class thread_level : int {
  single = MPI_THREAD_SINGLE,
  funneled = MPI_THREAD_FUNNELED,
  serialized = MPI_THREAD_SERIALIZED,
  multiple = MPI_THREAD_MULTIPLE
};

class environment {
 public:
  [[nodiscard("MPI ends with this object: give it a name")]] explicit environment(
      thread_level required = thread_level::single) {
    int provided = 0;
    detail::check(MPI_Init_thread(nullptr, nullptr, static_cast<int>(required), &provided));
    provided_ = static_cast<thread_level>(provided);
    // What these and all communicators made of them report becomes an exception.
    detail::check(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    detail::check(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
  }
  environment(const environment&) = delete;  // MPI is begun once
  environment& operator=(const environment&) = delete;

  // Left by an exception, this rank cannot finalize: the others may be waiting for it, and it for them.
  ~environment() {
    if (std::uncaught_exceptions() > exceptions_) {
      std::fputs("antiphon: an exception leaves the scope of antiphon::environment, which ends the job\n", stderr);
      world().abort();
    }
    detail::check(MPI_Finalize());
  }

  // What MPI grants, which may be less than was asked for.
  [[nodiscard]] thread_level threads() const noexcept { return provided_; }

 private:
  int exceptions_ = std::uncaught_exceptions();
  thread_level provided_ = thread_level::single;
};

}  // namespace antiphon
