// Explains hangs. Every rank that sleeps inside MPI publishes what it waits for (job_segment.hpp). When all ranks
// sleep and nothing changes, these functions say which rank waits for which. Pure functions: snapshots in, text out.
// The nodes take the snapshots at regular intervals (node/snapshot.hpp), and Looks puts them together (looks.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "node/rank_view.hpp"

namespace antiphon::launch {

struct JobView {
  std::vector<RankView> ranks;  // of all nodes, by rank in MPI_COMM_WORLD
};

// Decides from successive snapshots whether the job hangs: in several of them in a row, all ranks that can still act
// were stopped or had slept without a break. It counts snapshots, not time, so that a job that was stopped (Ctrl-Z)
// and continues is not reported as hanging.
class HangDetector {
 public:
  // How many snapshots in a row without progress are a hang.
  explicit HangDetector(int snapshots) : snapshots_(snapshots) {}

  // CPU time that a process may use between two snapshots and still counts as idle.
  static constexpr std::uint64_t kIdleCpu_ms = 50;

  // True once for each hang, for the snapshot that completes the row.
  bool observe(const JobView& view);

 private:
  [[nodiscard]] bool is_frozen(const JobView& view) const;

  int snapshots_;
  JobView last_;
  int frozen_snapshots_ = 0;
};

// A job with a stopped rank does not hang: the others wait for a rank that may continue at any time.
[[nodiscard]] bool is_any_stopped(const JobView& view);

// One line for each rank.
std::string describe_waits(const JobView& view);

// describe_waits(), then what is known about the cause: a cycle of ranks that wait for each other, waits for ranks
// that have finished, ranks that disagree about a collective, and failed collectives.
std::string diagnose(const JobView& view);

// A cycle of ranks of MPI_COMM_WORLD each of which waits for the next, starting from the lowest; empty if there is
// none.
std::vector<int> find_cycle(const JobView& view);

}  // namespace antiphon::launch
