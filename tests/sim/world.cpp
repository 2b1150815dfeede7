#include "world.hpp"

#include <algorithm>

namespace antiphon::sim {

using transport::PacketHeader;
using transport::Payload;

void* CommonPieces::allocate(int rank, std::size_t bytes) {
  if (refuses_) return nullptr;
  ++in_use_;
  pieces_.push_back({rank, std::vector<Line>((bytes + sizeof(Line) - 1) / sizeof(Line))});
  return pieces_.back().memory.data();
}

void CommonPieces::free(void*) { --in_use_; }

bool CommonPieces::holds(int rank, std::uint64_t address, std::size_t bytes) const {
  return std::ranges::any_of(pieces_, [&](const Piece& piece) {
    const auto begin = reinterpret_cast<std::uintptr_t>(piece.memory.data());
    return piece.rank == rank && address >= begin && address + bytes <= begin + piece.memory.size() * sizeof(Line);
  });
}

Rank::Rank(Cluster& cluster, CommonPieces& common, int rank, const RankOptions& options)
    : cluster_(cluster),
      common_(common),
      number_(rank),
      processes_(rank, cluster.places()),
      parking_(cluster, rank, options.looks),
      settings_(options.settings),
      engines_(surroundings(options)) {
  for (std::uint8_t handler = 0; handler < 32; ++handler) arriving_.on<&Rank::on_packet>(handler, *this);
}

process::Surroundings Rank::surroundings(const RankOptions& options) {
  return {.processes = processes_,
          .parking = parking_,
          .lane = lane_,
          .settings = settings_,
          .counters = counters_,
          .now = [this] { return cluster_.fabric().now(); },
          .network =
              [this](transport::Watches&) {
                return process::Network{std::make_unique<transport::sim::SimTransport>(cluster_.fabric(), number_)};
              },
          .arriving = &arriving_,
          .context_block = options.context_block,
          .partition_tags = options.partition_tags,
          .common_memory = {.allocate = [this](std::size_t bytes) { return common_.allocate(number_, bytes); },
                            .free = [this](void* start) { common_.free(start); }},
          .storage = cluster_.storage(),
          .workers = workers_};
}

void Rank::on_packet(int source, const PacketHeader& header, Payload payload) {
  cluster_.note({.time = 0,
                 .what = TraceEvent::What::packet,
                 .rank = number_,
                 .peer = source,
                 .handler = header.handler,
                 .context = header.context,
                 .tag = header.tag,
                 .bytes = payload.size()});
  observer_(source, header, payload);
  engines_.dispatcher()(source, header, payload);
}

World::World(int size, const transport::sim::Conditions& conditions, std::uint64_t seed, std::uint32_t context_block,
             const settings::Values& settings, transport::sim::Nodes nodes, FiberParking::Looks looks)
    : World(
          size, conditions, seed,
          [&](int) { return RankOptions{.context_block = context_block, .settings = settings, .looks = looks}; },
          std::move(nodes)) {}

World::World(int size, const transport::sim::Conditions& conditions, std::uint64_t seed,
             const std::function<RankOptions(int rank)>& options, transport::sim::Nodes nodes)
    : cluster_(size, conditions, seed, Scheduler::kSmallStack, std::move(nodes)) {
  cluster_.keep(trace_);
  cluster_.fabric().share(
      [this](int rank, std::uint64_t address, std::size_t bytes) { return common_.holds(rank, address, bytes); });
  for (int rank = 0; rank < size; ++rank)
    ranks_.push_back(std::make_unique<Rank>(cluster_, common_, rank, options(rank)));
}

std::string World::run(const std::function<void(Rank&)>& body) {
  const Scheduler::Ending ending = cluster_.run([&](int number) {
    body(rank(number));
    rank(number).engines().flush();
  });
  return ending == Scheduler::Ending::all_ended ? "" : cluster_.who_waits_for_whom();
}

}  // namespace antiphon::sim
