// A simulated job: ranks as fibers, each composed as process::Process composes a real one, but over a simulated
// network and with a sleep that gives way to the other fibers. Nothing here is global: a World is made from its seed,
// runs once, and goes.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "engine/pt2pt/buffered.hpp"
#include "engine/pt2pt/partitioned.hpp"
#include "engine/pt2pt/pt2pt.hpp"
#include "scheduler.hpp"
#include "trace.hpp"
#include "transport/self/loopback.hpp"
#include "transport/sim/fabric.hpp"

namespace antiphon::sim {

class World;

// The sleep of a simulated rank: the futex protocol of a real one (Parking), with the fiber in the thread's place.
class FiberParking final : public progress::Parking {
 public:
  FiberParking(World& world, int rank) : world_(world), rank_(rank) {}

  [[nodiscard]] int spin_looks() const noexcept override { return 0; }
  bool breathe(int) noexcept override { return true; }
  [[nodiscard]] bool crowded() const noexcept override { return false; }
  Ticket announce(const progress::WaitReason& reason) noexcept override;
  bool park(Ticket ticket, Patience patience) noexcept override;
  void retract() noexcept override { announced_ = false; }
  void wake_own_threads() noexcept override {}

  void ring();
  [[nodiscard]] const progress::WaitReason& reason() const { return reason_; }

 private:
  World& world_;
  int rank_;
  Ticket bell_ = 0;
  bool announced_ = false;
  progress::WaitReason reason_;
};

class Rank {
 public:
  // Sees every packet before the engine does.
  using Observer = std::function<void(int source, const transport::PacketHeader&, transport::Payload)>;

  Rank(World& world, int rank);
  [[nodiscard]] int number() const { return number_; }
  pt2pt::PointToPoint& pt2pt() { return pt2pt_; }
  pt2pt::BufferedSends& buffered() { return buffered_; }
  pt2pt::Partitioned& partitioned() { return partitioned_; }
  progress::Progress& progress() { return progress_; }
  FiberParking& parking() { return parking_; }
  // For engines of the test, before the world runs.
  transport::Dispatcher& dispatcher() { return engine_; }
  void observe(Observer observer) { observer_ = std::move(observer); }
  void yield();
  // Until everything that this rank still has to send is gone: the end of MPI_Finalize.
  void flush();

 private:
  void on_packet(int source, const transport::PacketHeader&, transport::Payload);

  World& world_;
  int number_;
  Observer observer_ = [](int, const transport::PacketHeader&, transport::Payload) {};
  transport::Dispatcher arriving_;  // what is polled goes here, to on_packet, and on to the engine's own
  transport::Dispatcher engine_;
  FiberParking parking_;
  progress::Lane lane_{false};
  progress::Progress progress_;
  transport::Loopback loopback_;
  transport::sim::SimTransport network_;
  pt2pt::PointToPoint pt2pt_;
  pt2pt::Combined combined_;
  pt2pt::BufferedSends buffered_;
  pt2pt::Partitioned partitioned_;
};

class World {
 public:
  World(int size, const transport::sim::Conditions& conditions, std::uint64_t seed);

  // Runs body(rank) as every rank. Empty when all have returned, otherwise who waits for whom.
  [[nodiscard]] std::string run(const std::function<void(Rank&)>& body);

  [[nodiscard]] int size() const { return size_; }
  [[nodiscard]] Rank& rank(int number) { return *ranks_[static_cast<std::size_t>(number)]; }
  [[nodiscard]] const Trace& trace() const { return trace_; }
  void note(TraceEvent event);
  transport::sim::Fabric& fabric() { return fabric_; }
  Scheduler& scheduler() { return scheduler_; }

 private:
  bool pass_time(bool idle);
  [[nodiscard]] std::string who_waits_for_whom();

  int size_;
  Scheduler scheduler_;
  transport::sim::Fabric fabric_;
  Trace trace_;
  std::vector<std::unique_ptr<Rank>> ranks_;
};

}  // namespace antiphon::sim
