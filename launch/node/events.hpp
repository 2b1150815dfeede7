// What a node and the job say to each other: the job gives orders, and the node reports events. Plain values, the
// same whether the node is run by mpiexec itself or by a daemon on another machine.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "bootstrap/job_segment.hpp"
#include "broker/broker.hpp"
#include "counters/table.hpp"
#include "node/description.hpp"
#include "node/rank_view.hpp"

namespace antiphon::launch {

// ---- Orders, in the order in which a node gets them

// Prepare: find the programs, choose the CPUs, create the segment, and listen for other nodes. Nothing is started.
struct Prepare {
  JobDescription job;
};
// Start the ranks. In a job of several nodes: where all brokers are.
struct Start {
  std::vector<BrokerEndpoint> brokers;
};
struct SignalRanks {
  int signal;
};
// Signal every process of the node, whether it is a rank or not.
struct SignalAll {
  int signal;
};
// Report what the ranks do: all of them, or only if none of them runs.
struct Look {
  std::uint32_t number;
  bool even_if_some_run;
};
// What the ranks print on this stream is not wanted now, or is again.
struct HoldOutput {
  std::uint32_t stream;
  bool hold;
};
// Nobody reads this stream any more: let the ranks notice.
struct CloseOutput {
  std::uint32_t stream;
};
// For the standard input of rank 0. No bytes: its end.
struct Input {
  std::string_view bytes;
};
// mpiexec is about to be stopped, as by Ctrl-Z: stop the ranks, and expect no sign of life until the next order.
struct Pause {};
struct Continue {};
// All ranks of the job have ended: kill what is left, pass on what was printed, and report Finished.
struct Finish {};

using NodeOrder = std::variant<Prepare, Start, SignalRanks, SignalAll, Look, HoldOutput, CloseOutput, Input, Pause,
                               Continue, Finish>;

// ---- Events

struct Prepared {
  std::vector<std::vector<int>> binding;  // by rank on the node
  BrokerEndpoint broker;
};
struct Started {
  std::vector<pid_t> pids;  // by rank on the node
};
// The node cannot do its part, or a program cannot be executed there: an exit status for mpiexec, and why.
struct Failed {
  int exit_status;
  std::string message;
};
struct Printed {
  int rank;
  std::uint32_t stream;
  std::string_view bytes;
};
struct StreamEnded {
  int rank;
  std::uint32_t stream;
};
struct Aborted {
  int rank;  // -1: the segment does not say
  int code;
  std::string text;
};
struct EndedRank {
  int rank;  // in MPI_COMM_WORLD
  pid_t pid;
  int wait_status;  // as from waitpid
  bootstrap::RankState state = bootstrap::RankState::starting;
};
// How many processes of the node's control group the kernel had killed for lack of memory before the job, and has
// killed by now.
struct MemoryKills {
  std::uint64_t before = 0, now = 0;
};
struct Ended {
  std::vector<EndedRank> ranks;  // in ascending order
  MemoryKills kills;             // counted only if SIGKILL ended one of them
};
// The answer to Look.
struct Seen {
  std::uint32_t number;
  bool some_run;
  std::vector<RankView> ranks;
};
// So many bytes of Input have reached rank 0.
struct InputTaken {
  std::uint64_t bytes;
};
// A line for the user.
struct Note {
  std::string text;
};
using RankCounters = std::array<std::uint64_t, counters::kHowMany>;
// No process of the node is left, and all that was printed has been reported.
struct Finished {
  std::vector<RankCounters> counted;  // by rank on the node; empty unless the job counts
};
// The node cannot be reached any more.
struct Lost {
  std::string message;
};

using NodeEvent = std::variant<Prepared, Started, Failed, Printed, StreamEnded, Aborted, Ended, Seen, InputTaken,
                               Note, Finished, Lost>;

// What a node's events go to. It is called while the node works, so it gives no orders itself.
using Report = std::function<void(int node, const NodeEvent& event)>;

}  // namespace antiphon::launch
