// An error on its way to the user: an MPI error class and a sentence that names the argument, its value and what
// would have been valid. Thrown by any layer, caught in exactly one place (api/call.hpp), which adds the call and the
// rank and runs the error handler. No other exception type carries an MPI failure.
#pragma once

#include <string>
#include <utility>

namespace antiphon::base {

struct Error {
  // The program's own, if a function of the program's gave it: it goes back as it came.
  enum class Origin { library, program };

  int error_class;  // abi::ERR_*, or of the program's origin any code
  std::string message;
  Origin origin = Origin::library;
};

// Kept out of line and cold, so that a check costs its caller one compare and one untaken branch.
[[noreturn, gnu::cold, gnu::noinline]] inline void fail(int error_class, std::string message) {
  throw Error{error_class, std::move(message)};
}

// For a code that a function of the program's has returned.
[[noreturn, gnu::cold, gnu::noinline]] inline void pass_on(int code, std::string message) {
  throw Error{code, std::move(message), Error::Origin::program};
}

}  // namespace antiphon::base
