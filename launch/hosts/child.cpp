#include "hosts/child.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "common/failure.hpp"

namespace antiphon::launch {
namespace {

struct Pipe {
  platform::OwnedDescriptor reading, writing;
};

Pipe make_pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    throw Failure{kExitFailure, fmt::format("no pipe: {} (ulimit -n?)", std::strerror(errno))};
  return {.reading = platform::OwnedDescriptor(ends[0]), .writing = platform::OwnedDescriptor(ends[1])};
}

pid_t fork_or_fail(const char* what) {
  const pid_t pid = fork();
  if (pid < 0) throw Failure{kExitFailure, fmt::format("cannot start {}: fork: {}", what, std::strerror(errno))};
  return pid;
}

}  // namespace

Child start_command(const std::vector<std::string>& words) {
  Pipe in = make_pipe(), out = make_pipe(), errors = make_pipe();
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  sigset_t none;
  sigemptyset(&none);
  const pid_t pid = fork_or_fail(arguments[0]);
  if (pid == 0) {
    setsid();
    dup2(in.reading.get(), STDIN_FILENO);
    dup2(out.writing.get(), STDOUT_FILENO);
    dup2(errors.writing.get(), STDERR_FILENO);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    execvp(arguments[0], arguments.data());
    const int why = errno;
    dprintf(STDERR_FILENO, "%s: %s\n", arguments[0], std::strerror(why));
    _exit(why == ENOENT ? kExitNotFound : kExitNotExecutable);
  }
  fcntl(errors.reading.get(), F_SETFL, O_NONBLOCK);
  return {
      .pid = pid, .from = std::move(out.reading), .to = std::move(in.writing), .errors = std::move(errors.reading)};
}

Child start_copy(const std::function<int()>& work) {
  Pipe in = make_pipe(), out = make_pipe();
  const pid_t pid = fork_or_fail("a node");
  if (pid == 0) {
    dup2(in.reading.get(), STDIN_FILENO);
    dup2(out.writing.get(), STDOUT_FILENO);
    in = {};
    out = {};
    _exit(work());
  }
  return {.pid = pid, .from = std::move(out.reading), .to = std::move(in.writing), .errors = {}};
}

}  // namespace antiphon::launch
