// Why mpiexec cannot continue, and how it prints messages. Each line for the user begins with "mpiexec: ", and a
// message is written in one write, so that it does not mix with what the ranks print.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

namespace antiphon::launch {

// The exit statuses of mpiexec itself. Those of a failed rank are passed on instead. The numbers are those that
// shells and timeout(1) use.
enum ExitStatus : int {
  kExitFailure = 1,    // a system call failed
  kExitUsage = 2,      // the command line is invalid
  kExitHang = 123,     // --on-hang=abort
  kExitTimeout = 124,  // --timeout
  kExitNotExecutable = 126,
  kExitNotFound = 127,
  kExitSignal = 128,  // plus the signal's number
};

// The job cannot be started. Thrown until the last rank has been started; main() prints the message and exits.
struct Failure {
  int exit_status;
  std::string message;
};

[[noreturn]] inline void usage_error(std::string message) { throw Failure{kExitUsage, std::move(message)}; }

// Writes `text` to stderr, with the prefix before each line. It has one or more lines, without a newline at the end.
void tell(std::string_view text);

template <typename... Args>
void tell(fmt::format_string<Args...> format, Args&&... args) {
  tell(std::string_view{fmt::format(format, std::forward<Args>(args)...)});
}

}  // namespace antiphon::launch
