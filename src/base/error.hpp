// An error on its way to the user: an MPI error class and a sentence that names the argument, its value and what
// would have been valid. Thrown by any layer, caught in exactly one place (api/call.hpp), which adds the call and the
// rank and runs the error handler. No other exception type carries an MPI failure.
#pragma once

#include <string>
#include <utility>

namespace antiphon::base {

struct Error {
  int error_class;  // abi::ERR_*
  std::string message;
};

// Kept out of line and cold, so that a check costs its caller one compare and one untaken branch.
[[noreturn, gnu::cold, gnu::noinline]] inline void fail(int error_class, std::string message) {
  throw Error{error_class, std::move(message)};
}

}  // namespace antiphon::base
