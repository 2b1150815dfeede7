#include "mpiexec/stop_request.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "common/failure.hpp"

namespace antiphon::launch {

StopRequest::StopRequest() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTSTP);
  sigprocmask(SIG_BLOCK, &set, nullptr);
  requests_ = platform::OwnedDescriptor(signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
  if (requests_.get() < 0) throw Failure{kExitFailure, fmt::format("cannot watch signals: {}", std::strerror(errno))};
}

bool StopRequest::take() {
  signalfd_siginfo request;
  bool any = false;
  while (read(requests_.get(), &request, sizeof request) > 0) any = true;
  return any;
}

void StopRequest::stop_here() { raise(SIGSTOP); }

}  // namespace antiphon::launch
