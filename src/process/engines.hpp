// Everything that moves bytes in one MPI process: dispatcher, progress, loopback and all engines. This is the only
// place that decides which engine uses which. A real process and a simulated one differ only in their Surroundings.
// Owned by the Process, or by a rank of a simulation; the lane protects it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "bootstrap/process_table.hpp"
#include "counters/counters.hpp"
#include "engine/coll/collectives.hpp"
#include "engine/coll/replay.hpp"
#include "engine/io/files.hpp"
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

// What carries packets to the other processes.
struct Network {
  std::unique_ptr<transport::Transport> transport;
  progress::Progress::Seen seen = progress::Progress::Seen::by_polling;
  // To processes of other nodes; null: `transport` carries those packets, too.
  std::unique_ptr<transport::Transport> between_nodes = nullptr;
};

// What the engines need from outside.
struct Surroundings {
  const bootstrap::ProcessTable& processes;
  progress::Parking& parking;
  progress::Lane& lane;
  const settings::Values& settings;
  counters::Counters& counters;
  std::function<std::uint64_t()> now;  // nanoseconds; simulated time in a simulation
  // Makes the transport to the other processes, which may add its watches to the argument.
  std::function<Network(transport::Watches&)> network;
  // Receives all packets that are polled, if a test wants to see them before the engines do; null: the engines
  // receive them directly.
  transport::Dispatcher* arriving = nullptr;
  std::uint32_t context_block = service::Contexts::kAsManyAsThereAre;
  std::int32_t partition_tags = pt2pt::Tags::kAll;
  coll::CommonMemory common_memory = {};
  // The number of cores for all ranks, if they are on one node. 0: each rank has its own core, or there are several
  // nodes.
  int cores = 0;
  // Where files are, and who works on them while the program computes; both outlive the engines.
  storage::Storage& storage;
  io::Workers& workers;
  // Called for each new request of a message, before its first use.
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
  [[nodiscard]] io::Files& files() { return files_; }
  [[nodiscard]] service::Contexts& contexts() { return contexts_; }
  [[nodiscard]] service::Duplications& duplications() { return duplications_; }
  [[nodiscard]] service::Toolbox toolbox() { return {processes_, pt2pt_, coll_, progress_, contexts_}; }
  [[nodiscard]] objects::EndedComms& ended_comms() { return ended_comms_; }
  // Receives incoming packets for the engines.
  [[nodiscard]] transport::Dispatcher& dispatcher() { return dispatcher_; }

  // Waits until everything that this process has to send is sent, and until the pending collective plans of a session
  // (0: of the world model) are complete. Those belong to failed calls; other processes may still wait for this
  // process's part.
  void flush(std::uintptr_t session = 0);
  // For the time in which this process does not use MPI, which may be until its end: tells the processes of other
  // nodes to which it is connected.
  void say_goodbye();

 private:
  [[nodiscard]] std::unique_ptr<transport::Channel> connect(int peer);
  [[nodiscard]] transport::Transport& transport_to(int peer);
  [[nodiscard]] links::Links::IsRemote remote_processes() const;
  [[nodiscard]] transport::PeerMemory* memory_of(int process);
  [[nodiscard]] coll::Collectives::Placement placement(int cores) const;

  const bootstrap::ProcessTable& processes_;
  const settings::Values& settings_;
  counters::Counters& counters_;
  transport::Dispatcher dispatcher_;
  progress::Progress progress_;
  transport::Loopback loopback_;
  Network network_;
  service::Contexts contexts_;  // destroyed after the members below, which may hold communicators until then
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
  io::Files files_;
  service::Duplications duplications_;
};

}  // namespace antiphon::process
