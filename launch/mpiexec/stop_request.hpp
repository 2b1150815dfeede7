// Ctrl-Z in a job over several hosts. The terminal stops only processes of its own, so the supervisor has the ranks
// of all hosts stopped before it stops itself, and has them go on when it goes on. In a job on this machine alone
// nothing of this is needed: all its processes are in the group that the terminal stops. Owned by the Job.
#pragma once

#include "platform/linux/owned_descriptor.hpp"

namespace antiphon::launch {

class StopRequest {
 public:
  // From now on SIGTSTP does not stop this process by itself.
  StopRequest();

  [[nodiscard]] int fd() const { return requests_.get(); }
  // Whether the user has asked to stop. Forgets it.
  [[nodiscard]] bool take();
  // Returns when the process has been continued.
  static void stop_here();

 private:
  platform::OwnedDescriptor requests_;  // signalfd
};

}  // namespace antiphon::launch
