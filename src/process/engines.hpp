// Everything that moves bytes in one MPI process, connected: dispatchers, progress, loopback and every engine. The
// only place that says which engine gets what. A real process and a simulated one differ in their Surroundings
// alone. Owned by the Process, or by a rank of a simulation; the lane's lock protects it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "bootstrap/process_table.hpp"
#include "counters/counters.hpp"
#include "engine/coll/collectives.hpp"
#include "engine/coll/replay.hpp"
#include "engine/links/links.hpp"
#include "engine/pt2pt/buffered.hpp"
#include "engine/pt2pt/combined.hpp"
#include "engine/pt2pt/messages.hpp"
#include "engine/pt2pt/partitioned.hpp"
#include "engine/rma/accumulates.hpp"
#include "engine/rma/active_target.hpp"
#include "engine/rma/passive_target.hpp"
#include "service/duplications.hpp"
#include "settings/values.hpp"
#include "transport/self/loopback.hpp"

namespace antiphon::process {

struct Network {
  std::unique_ptr<transport::Transport> transport;
  progress::Progress::Seen seen = progress::Progress::Seen::by_polling;
};

// What the engines find around them.
struct Surroundings {
  const bootstrap::ProcessTable& processes;
  progress::Parking& parking;
  progress::Lane& lane;
  const settings::Values& settings;
  counters::Counters& counters;
  std::function<std::uint64_t()> now;  // nanoseconds, or what a simulation takes for them
  // The way to the other processes, which may put its watches where it is told to.
  std::function<Network(transport::Watches&)> network;
  // What packets are handed to when they are polled, if somebody wants to see them before the engines do.
  transport::Dispatcher* arriving = nullptr;
  std::uint32_t context_block = service::Contexts::kAsManyAsThereAre;
  std::int32_t partition_tags = pt2pt::Tags::kAll;
  coll::CommonMemory common_memory = {};
  // For all ranks of the only node; 0: one for each, or there are several nodes.
  int cores = 0;
  // For each new request of a message, before its first use.
  pt2pt::PrepareRequest prepare_request = {};
};

class Engines {
 public:
  explicit Engines(const Surroundings& around);
  Engines(const Engines&) = delete;
  Engines& operator=(const Engines&) = delete;

  [[nodiscard]] progress::Progress& progress() { return progress_; }
  [[nodiscard]] links::Links& links() { return links_; }
  [[nodiscard]] pt2pt::Messages& pt2pt() { return pt2pt_; }
  [[nodiscard]] pt2pt::Combined& combined() { return combined_; }
  [[nodiscard]] pt2pt::BufferedSends& buffered() { return buffered_; }
  [[nodiscard]] pt2pt::Partitioned& partitioned() { return partitioned_; }
  [[nodiscard]] coll::Collectives& coll() { return coll_; }
  [[nodiscard]] coll::Replays& replays() { return replays_; }
  [[nodiscard]] rma::OneSided& one_sided() { return one_sided_; }
  [[nodiscard]] rma::Accumulates& accumulates() { return accumulates_; }
  [[nodiscard]] rma::ActiveTarget& active_target() { return active_target_; }
  [[nodiscard]] rma::PassiveTarget& passive_target() { return passive_target_; }
  [[nodiscard]] service::Contexts& contexts() { return contexts_; }
  [[nodiscard]] service::Duplications& duplications() { return duplications_; }
  [[nodiscard]] service::Toolbox toolbox() { return {processes_, pt2pt_, coll_, progress_, contexts_}; }
  [[nodiscard]] objects::EndedComms& ended_comms() { return ended_comms_; }
  // Where packets come in.
  [[nodiscard]] transport::Dispatcher& dispatcher() { return dispatcher_; }

  // Sends what is still to be sent, and ends the plans under way on communicators of a session, or of the world model
  // (0): those are of calls that failed, and others may wait for this process's part in them.
  void flush(std::uintptr_t session = 0);

 private:
  [[nodiscard]] std::unique_ptr<transport::Channel> connect(int peer);
  [[nodiscard]] transport::PeerMemory* memory_of(int process);
  [[nodiscard]] coll::Collectives::Placement placement(int cores) const;

  const bootstrap::ProcessTable& processes_;
  const settings::Values& settings_;
  counters::Counters& counters_;
  transport::Dispatcher dispatcher_;
  progress::Progress progress_;
  transport::Loopback loopback_;
  Network network_;
  service::Contexts contexts_;  // before those who may hold communicators to their end
  coll::Boards boards_;
  objects::EndedComms ended_comms_;
  links::Links links_;
  pt2pt::Messages pt2pt_;
  pt2pt::Combined combined_;
  pt2pt::BufferedSends buffered_;
  pt2pt::Partitioned partitioned_;
  coll::Collectives coll_;
  coll::Exchanges exchanges_;
  coll::Replays replays_;
  rma::OneSided one_sided_;
  rma::Accumulates accumulates_;
  rma::ActiveTarget active_target_;
  rma::PassiveTarget passive_target_;
  service::Duplications duplications_;
};

}  // namespace antiphon::process
