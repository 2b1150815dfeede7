#include "process/engines.hpp"

#include "transport/counting_channel.hpp"

namespace antiphon::process {

Engines::Engines(const Surroundings& around)
    : processes_(around.processes),
      settings_(around.settings),
      counters_(around.counters),
      dispatcher_(around.lane.shared() ? transport::Dispatcher::Threads::many
                                       : transport::Dispatcher::Threads::one_at_a_time),
      progress_(around.arriving ? *around.arriving : dispatcher_, around.parking, around.lane),
      loopback_(processes_.self(), [this] { progress_.sent_to_self(); }),
      network_(around.network(progress_.watches())),
      contexts_(processes_.self(), processes_.size(), around.context_block),
      boards_(
          pt2pt_, progress_, exchanges_, [this](int process) { return memory_of(process); }, around.common_memory,
          around.now, around.settings, around.counters),
      links_(
          processes_.size(), [this](int process) { return connect(process); }, progress_,
          around.lane.shared() ? links::Senders::many : links::Senders::lane_only, around.settings, around.counters,
          remote_processes()),
      pt2pt_(links_, dispatcher_, progress_, around.now,
             around.lane.shared() ? pt2pt::Matching::Threads::many : pt2pt::Matching::Threads::one_at_a_time,
             around.prepare_request, around.settings, around.counters),
      combined_(progress_),
      buffered_(pt2pt_, combined_, progress_),
      partitioned_(pt2pt_, progress_, around.partition_tags),
      coll_(pt2pt_, progress_, boards_, around.settings, placement(around.cores)),
      exchanges_(progress_, around.prepare_request),
      replays_(pt2pt_, progress_),
      one_sided_(
          pt2pt_, links_, dispatcher_, progress_, [this](int process) { return memory_of(process); }, around.settings,
          around.counters),
      accumulates_(one_sided_, links_, dispatcher_, progress_),
      active_target_(one_sided_, links_, dispatcher_, coll_, progress_),
      passive_target_(one_sided_, links_, dispatcher_, progress_, [this](int process) { return memory_of(process); }),
      files_(coll_, replays_, pt2pt_, progress_, {accumulates_, passive_target_, progress_}, around.storage,
             around.workers, processes_.all_are_neighbours() ? around.cores : 0),
      duplications_(toolbox()) {
  progress_.add(*network_.transport, network_.seen);
  if (network_.between_nodes) progress_.add(*network_.between_nodes);
  progress_.add_own(loopback_);
}

transport::Transport& Engines::transport_to(int peer) {
  if (peer == processes_.self()) return loopback_;
  return network_.between_nodes && !processes_.is_neighbour(peer) ? *network_.between_nodes : *network_.transport;
}

links::Links::IsRemote Engines::remote_processes() const {
  if (processes_.all_are_neighbours()) return {};
  return [this](int process) { return !processes_.is_neighbour(process); };
}

std::unique_ptr<transport::Channel> Engines::connect(int peer) {
  std::unique_ptr<transport::Channel> channel = transport_to(peer).connect(peer);
  if (settings_.counters == settings::Counters::off) return channel;
  return std::make_unique<transport::CountingChannel>(std::move(channel), counters_);
}

// The number of cores is used only where all ranks are on one node: nodes may differ in it, and all ranks must choose
// the same algorithm.
coll::Collectives::Placement Engines::placement(int cores) const {
  if (processes_.all_are_neighbours()) return {.cores = cores};
  return {.node_of = [this](int process) { return processes_.node(process); }};
}

// Null for this process itself, which needs no such access, and for processes of other nodes, whose memory cannot be
// accessed.
transport::PeerMemory* Engines::memory_of(int process) {
  if (process == processes_.self() || !processes_.is_neighbour(process)) return nullptr;
  return network_.transport->memory_of(process);
}

void Engines::flush(std::uintptr_t session) {
  const auto all_gone = [&] {
    return buffered_.all_gone() && !links_.has_work() && !pt2pt_.has_work() && !replays_.oldest_of(session) &&
           !(network_.between_nodes && network_.between_nodes->has_unsent());
  };
  progress_.wait(all_gone, [&] {
    const coll::Replay* const oldest = replays_.oldest_of(session);
    return oldest ? oldest->reason() : progress::WaitReason{.communicator = "MPI"};
  });
}

void Engines::say_goodbye() {
  if (!network_.between_nodes) return;
  network_.between_nodes->say_goodbye();
  flush();
}

}  // namespace antiphon::process
