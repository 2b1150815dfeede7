// Runs MPI calls that may end the process, in a process of their own: a child that is an MPI job of one.
#pragma once

#include <functional>
#include <string>

namespace antiphon::bad_input {

struct Ending {
  std::string told;  // what the child wrote into `tell`
  std::string stderr_text;
  int exit_status = -1;  // -1: a signal ended it
  int signal = 0;        // SIGALRM: it did not end within the time that is given to it
};

// body(tell): tell(text) passes text to the parent, whatever becomes of the child afterwards.
[[nodiscard]] Ending in_a_child(const std::function<void(const std::function<void(const std::string&)>& tell)>& body);

[[nodiscard]] std::string describe(const Ending& ending);

}  // namespace antiphon::bad_input
