// An error to be reported to the user: an MPI error class, and a message that names the argument, its value and what
// would be valid. Any layer throws it. In an MPI call api::Call catches it, adds the procedure's name and runs the
// error handler. No other exception type carries an MPI failure.
#pragma once

#include <string>
#include <utility>

namespace antiphon::base {

struct Error {
  // program: a callback of the program returned the code, so the user gets it unchanged.
  enum class Origin { library, program };

  int error_class;  // abi::ERR_*; any code if a callback of the program returned it
  std::string message;
  Origin origin = Origin::library;
};

// Out of line and cold, so that a check costs its caller one compare and one untaken branch.
[[noreturn, gnu::cold, gnu::noinline]] inline void fail(int error_class, std::string message) {
  throw Error{error_class, std::move(message)};
}

// Throws a code that a callback of the program has returned.
[[noreturn, gnu::cold, gnu::noinline]] inline void pass_on(int code, std::string message) {
  throw Error{code, std::move(message), Error::Origin::program};
}

}  // namespace antiphon::base
