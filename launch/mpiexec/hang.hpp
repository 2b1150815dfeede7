// Explains hangs. Every rank that sleeps inside MPI has published what it waits for (job_segment.hpp). When all
// ranks sleep and nothing moves, these functions say who waits for whom. Pure: snapshots in, text out. The
// supervisor takes the snapshots at regular intervals (snapshot.hpp).
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bootstrap/job_segment.hpp"
#include "platform/linux/process_stat.hpp"

namespace antiphon::launch {

// The state of a rank at one moment.
struct RankView {
  enum class Condition {
    running,    // not inside MPI, or at work there
    asleep,     // in MPI, and `wait` says why
    stopped,    // by a signal or a debugger, and goes on when somebody wants it to
    finalized,  // left MPI for good; its process may go on
    exited,
  };
  int rank = 0;  // in MPI_COMM_WORLD
  pid_t pid = 0;
  platform::Stopped by = platform::Stopped::by_nobody;  // who stopped it
  Condition condition = Condition::running;
  std::uint64_t sleeps = 0;  // equal in two snapshots: slept through
  std::uint32_t wait_version = 0;
  std::uint64_t cpu_ms = 0;       // of all threads of the process so far: one may be at work while another sleeps
  bootstrap::WaitNote wait = {};  // meaningful when asleep
  std::optional<bootstrap::FailureNote> failure = {};
};

struct JobView {
  std::uint64_t now_ns = 0;     // CLOCK_MONOTONIC
  std::vector<RankView> ranks;  // by rank on the node
};

// Decides from one snapshot after the other whether the job hangs: all ranks that could still do something have slept
// without a break, or been stopped, through several of them. Counts snapshots, not time, so that a job that was
// stopped (Ctrl-Z) and goes on is not taken for one that hangs.
class HangDetector {
 public:
  // Snapshots without any progress that make a hang.
  explicit HangDetector(int snapshots) : snapshots_(snapshots) {}

  // What the threads of a process may use between two snapshots and still count as idle.
  static constexpr std::uint64_t kIdleCpu_ms = 50;

  // True once for each hang: with the snapshot that makes it certain.
  bool observe(const JobView& view);

 private:
  [[nodiscard]] bool is_frozen(const JobView& view) const;

  int snapshots_;
  JobView last_;
  int frozen_snapshots_ = 0;
};

// A job with a stopped rank does not hang: the others wait for a rank that may continue at any time.
[[nodiscard]] bool is_any_stopped(const JobView& view);

// One line a rank.
std::string describe_waits(const JobView& view);

// describe_waits, then why it cannot end: the cycle of ranks that wait for each other, or the wait for a rank that
// has finished, where there is one.
std::string diagnose(const JobView& view);

// The ranks of MPI_COMM_WORLD of a cycle in the graph "waits for", starting from its lowest; empty if there is none.
std::vector<int> find_cycle(const JobView& view);

}  // namespace antiphon::launch
