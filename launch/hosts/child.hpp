// A process that carries a connection to a daemon: the daemon itself on this machine, or a command such as ssh. Its
// stdin and stdout are the connection; what it prints to stderr is kept for messages. It has a session of its own, so
// that Ctrl-C at the terminal does not reach it.
#pragma once

#include <sys/types.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "platform/linux/owned_descriptor.hpp"

namespace antiphon::launch {

struct Child {
  pid_t pid = -1;
  platform::OwnedDescriptor from, to;  // its stdout and stdin
  platform::OwnedDescriptor errors;    // its stderr
};

// They throw Failure. The words are a command, found in PATH.
[[nodiscard]] Child start_command(const std::vector<std::string>& words);
// A copy of this process that runs `work`, with the connection as its stdin and stdout and its stderr as it is, and
// exits with what that returns.
[[nodiscard]] Child start_copy(const std::function<int()>& work);

}  // namespace antiphon::launch
