// A simulated job without the C interface: each rank has the engines that a real process has.
#pragma once

#include <memory>

#include "base/cache_line.hpp"
#include "cluster.hpp"
#include "polling_workers.hpp"
#include "process/engines.hpp"

namespace antiphon::sim {

class World;

// What ranks of one world have allocated for all of them to see; there to its end, as they all live in one address
// space.
class CommonPieces {
 public:
  [[nodiscard]] void* allocate(int rank, std::size_t bytes);
  void free(void* start);
  [[nodiscard]] bool holds(int rank, std::uint64_t address, std::size_t bytes) const;
  // Of which nobody has been told that they are free.
  [[nodiscard]] std::size_t in_use() const { return in_use_; }
  // What is asked for from now on is refused.
  void refuse() { refuses_ = true; }

 private:
  struct alignas(base::kCacheLinePair) Line {
    std::byte bytes[base::kCacheLinePair];
  };
  struct Piece {
    int rank;
    std::vector<Line> memory;
  };
  std::vector<Piece> pieces_;
  std::size_t in_use_ = 0;
  bool refuses_ = false;
};

// What a rank finds around it, other than the network.
struct RankOptions {
  std::uint32_t context_block = service::Contexts::kAsManyAsThereAre;
  settings::Values settings = {};
  FiberParking::Looks looks = FiberParking::Looks::keep_the_core;
  std::int32_t partition_tags = pt2pt::Tags::kAll;
};

class Rank {
 public:
  // Sees every packet before the engine does.
  using Observer = std::function<void(int source, const transport::PacketHeader&, transport::Payload)>;

  Rank(Cluster& cluster, CommonPieces& common, int rank, const RankOptions& options);
  [[nodiscard]] int number() const { return number_; }
  process::Engines& engines() { return engines_; }
  pt2pt::Messages& pt2pt() { return engines_.pt2pt(); }
  progress::Progress& progress() { return engines_.progress(); }
  [[nodiscard]] const counters::Counters& counters() const { return counters_; }
  void observe(Observer observer) { observer_ = std::move(observer); }
  void yield() { cluster_.scheduler().yield(); }
  [[noreturn]] void vanish() { cluster_.scheduler().vanish(); }

 private:
  [[nodiscard]] process::Surroundings surroundings(const RankOptions& options);
  void on_packet(int source, const transport::PacketHeader&, transport::Payload);

  Cluster& cluster_;
  CommonPieces& common_;
  int number_;
  bootstrap::ProcessTable processes_;
  Observer observer_ = [](int, const transport::PacketHeader&, transport::Payload) {};
  transport::Dispatcher arriving_;  // what is polled goes here, to on_packet, and on to the engines' own
  FiberParking parking_;
  progress::Lane lane_{false};
  settings::Values settings_;
  PollingWorkers workers_;
  counters::Counters counters_;
  process::Engines engines_;
};

class World {
 public:
  World(int size, const transport::sim::Conditions& conditions, std::uint64_t seed,
        std::uint32_t context_block = service::Contexts::kAsManyAsThereAre, const settings::Values& settings = {},
        transport::sim::Nodes nodes = {}, FiberParking::Looks looks = FiberParking::Looks::keep_the_core);
  // Of ranks that differ.
  World(int size, const transport::sim::Conditions& conditions, std::uint64_t seed,
        const std::function<RankOptions(int rank)>& options, transport::sim::Nodes nodes = {});

  // Runs body(rank) as every rank. Empty when all have returned, otherwise who waits for whom.
  [[nodiscard]] std::string run(const std::function<void(Rank&)>& body);

  [[nodiscard]] int size() const { return cluster_.size(); }
  [[nodiscard]] Rank& rank(int number) { return *ranks_[static_cast<std::size_t>(number)]; }
  [[nodiscard]] const Trace& trace() const { return trace_; }
  [[nodiscard]] CommonPieces& common() { return common_; }

 private:
  Cluster cluster_;
  CommonPieces common_;
  Trace trace_;
  std::vector<std::unique_ptr<Rank>> ranks_;
};

}  // namespace antiphon::sim
