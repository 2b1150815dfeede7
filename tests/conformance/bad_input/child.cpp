#include "child.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <stdexcept>

namespace antiphon::bad_input {

namespace {

constexpr unsigned kPatienceS = 20;

struct Pipe {
  int ends[2];
  Pipe() {
    if (pipe(ends) != 0) throw std::runtime_error("no pipe");
  }
  ~Pipe() {
    close(ends[0]);
    close_writing_end();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  void close_writing_end() {
    if (ends[1] >= 0) close(ends[1]);
    ends[1] = -1;
  }
};

void write_all(int fd, const std::string& text) {
  if (write(fd, text.data(), text.size()) != static_cast<ssize_t>(text.size())) abort();
}

// Both until both end, so that the child never waits for a full pipe.
void read_both(int first, std::string* into_first, int second, std::string* into_second) {
  pollfd polls[2] = {{first, POLLIN, 0}, {second, POLLIN, 0}};
  std::string* targets[2] = {into_first, into_second};
  while (polls[0].fd >= 0 || polls[1].fd >= 0) {
    poll(polls, 2, -1);
    for (int i = 0; i < 2; ++i) {
      if (polls[i].fd < 0 || polls[i].revents == 0) continue;
      char bytes[4096];
      const ssize_t length = read(polls[i].fd, bytes, sizeof bytes);
      if (length > 0)
        targets[i]->append(bytes, static_cast<std::size_t>(length));
      else
        polls[i].fd = -1;
    }
  }
}

}  // namespace

Ending in_a_child(const std::function<void(const std::function<void(const std::string&)>& tell)>& body) {
  Pipe told, errors;
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("cannot fork");
  if (child == 0) {
    dup2(errors.ends[1], STDERR_FILENO);
    alarm(kPatienceS);
    body([&](const std::string& text) { write_all(told.ends[1], text); });
    _exit(0);
  }
  told.close_writing_end();
  errors.close_writing_end();
  Ending ending;
  read_both(told.ends[0], &ending.told, errors.ends[0], &ending.stderr_text);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFEXITED(status)) ending.exit_status = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) ending.signal = WTERMSIG(status);
  return ending;
}

std::string describe(const Ending& ending) {
  const std::string end = ending.signal == SIGALRM ? "it never ended"
                          : ending.signal != 0
                              ? fmt::format("died by signal {} ({})", ending.signal, strsignal(ending.signal))
                              : fmt::format("exit status {}", ending.exit_status);
  return fmt::format("{}; told: '{}'; stderr: '{}'", end, ending.told, ending.stderr_text);
}

}  // namespace antiphon::bad_input
