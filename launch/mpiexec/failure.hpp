// Why mpiexec cannot go on, and how it prints messages: every line to the user starts with "mpiexec: " and is
// written in one write, so that it does not mix with what the ranks print.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

namespace antiphon::launch {

// The exit statuses of mpiexec that are not a rank's own. They follow the shell's and timeout(1)'s.
enum ExitStatus : int {
  kExitFailure = 1,    // the system refused something
  kExitUsage = 2,      // the command line makes no sense
  kExitHang = 123,     // --on-hang=abort
  kExitTimeout = 124,  // --timeout
  kExitNotExecutable = 126,
  kExitNotFound = 127,
  kExitSignal = 128,  // plus the signal's number
};

// Thrown before the first rank runs; caught in main only.
struct Failure {
  int exit_status;
  std::string message;
};

[[noreturn]] inline void usage_error(std::string message) { throw Failure{kExitUsage, std::move(message)}; }

// Writes `text`, one or more lines without the last newline, each with the prefix.
void tell(std::string_view text);

template <typename... Args>
void tell(fmt::format_string<Args...> format, Args&&... args) {
  tell(std::string_view{fmt::format(format, std::forward<Args>(args)...)});
}

}  // namespace antiphon::launch
