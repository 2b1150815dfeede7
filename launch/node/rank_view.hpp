// The state of a rank at one moment, as the segment of its node and the process table show it. A plain value.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "bootstrap/job_segment.hpp"
#include "platform/linux/process_stat.hpp"

namespace antiphon::launch {

struct RankView {
  enum class Condition : std::uint8_t {
    running,    // not inside MPI, or active there
    asleep,     // sleeps inside MPI; `wait` says why
    stopped,    // by a signal or a debugger, until that continues it
    finalized,  // has finalized MPI; its process may still run
    exited,
  };
  int rank = 0;  // in MPI_COMM_WORLD
  pid_t pid = 0;
  platform::Stopped by = platform::Stopped::by_nobody;  // what stopped it
  Condition condition = Condition::running;
  std::uint64_t sleeps = 0;  // if equal in two snapshots, the rank has slept from one to the other
  std::uint32_t wait_version = 0;
  std::uint64_t cpu_ms = 0;  // CPU time of all threads of the process, because one may compute while another sleeps
  bootstrap::WaitNote wait = {};  // meaningful when asleep
  std::uint64_t waited_ns = 0;    // since wait.since_ns, which only the clock of its node can tell
  std::optional<bootstrap::FailureNote> failure = {};
};

}  // namespace antiphon::launch
