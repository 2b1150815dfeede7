// The machine under a simulated job: ranks as fibers, virtual time, a network between them, and a sleep that gives
// way to the other fibers. What lives in the fibers is for others to say: engines alone (World) or whole MPI programs
// (programs/). Nothing here is global: a Cluster is made from its seed, runs once, and goes.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bootstrap/place.hpp"
#include "progress/call_context.hpp"
#include "progress/parking.hpp"
#include "scheduler.hpp"
#include "storage/memory/memory_storage.hpp"
#include "trace.hpp"
#include "transport/sim/fabric.hpp"

namespace antiphon::sim {

class Cluster;

// The sleep of a simulated rank: the futex protocol of a real one (Parking), with the fiber in the thread's place.
class FiberParking final : public progress::Parking {
 public:
  // `call`, if the rank is in one when it goes to sleep, is reported. A rank that looks in a loop gives way if asked
  // to.
  enum class Looks { keep_the_core, give_way };
  FiberParking(Cluster& cluster, int rank, Looks looks, const progress::CallContext* call = nullptr);
  ~FiberParking() override;

  [[nodiscard]] int spin_looks() const noexcept override { return 0; }
  bool breathe(int, Others) noexcept override;
  [[nodiscard]] bool crowded() const noexcept override { return looks_ == Looks::give_way; }
  Ticket announce(const progress::WaitReason& reason) noexcept override;
  bool park(Ticket ticket, Patience patience) noexcept override;
  void retract() noexcept override { announced_ = false; }
  void wake_own_threads() noexcept override { ring(); }
  void tell_failure(const progress::NthCollective& which, std::string_view why) noexcept override;
  [[nodiscard]] std::string failure_of(int process, const progress::NthCollective& which) const override;

  void ring();
  // "rank 2 waits in MPI_Recv for rank 1, ..."
  [[nodiscard]] std::string describe() const;

 private:
  Cluster& cluster_;
  int rank_;
  Looks looks_;
  const progress::CallContext* call_;
  Ticket bell_ = 0;
  bool announced_ = false;
  const char* procedure_ = "";
  progress::WaitReason reason_;
  struct Failure {
    std::string communicator;
    std::uint32_t nth = 0;
    std::string text;
  } failure_;
};

class Cluster {
 public:
  Cluster(int size, const transport::sim::Conditions& conditions, std::uint64_t seed,
          std::size_t stack_bytes = Scheduler::kSmallStack, transport::sim::Nodes nodes = {});

  // Runs body(rank) as every rank. Anything but all_ended leaves fibers where they were.
  [[nodiscard]] Scheduler::Ending run(const std::function<void(int rank)>& body);
  // After a deadlock.
  [[nodiscard]] std::string who_waits_for_whom();

  [[nodiscard]] int size() const { return static_cast<int>(places_.size()); }
  [[nodiscard]] const std::vector<bootstrap::Place>& places() const { return places_; }
  [[nodiscard]] int rank_at(bootstrap::Place place) const;
  // "rank 2", and on which node that is where there are several.
  [[nodiscard]] std::string name_of(int rank) const;
  transport::sim::Fabric& fabric() { return fabric_; }
  Scheduler& scheduler() { return scheduler_; }
  // The files of all ranks, in which reads and writes are cut short and interrupted at random.
  storage::MemoryStorage& storage() { return storage_; }

  // From a rank's fiber: lets that much time pass, and the others go on.
  void sleep(std::uint64_t ticks);

  // Where what happens is written down, if anywhere.
  void keep(Trace& trace) { trace_ = &trace; }
  void note(TraceEvent event);

 private:
  friend class FiberParking;
  struct Seat {
    FiberParking* parking = nullptr;
    std::uint64_t sleeps_until = 0;
  };

  Seat& seat(int rank) { return seats_[static_cast<std::size_t>(rank)]; }
  void wake(int rank);
  bool pass_time(bool idle);

  std::vector<bootstrap::Place> places_;
  Scheduler scheduler_;
  transport::sim::Fabric fabric_;
  storage::MemoryStorage storage_;
  Trace* trace_ = nullptr;
  std::vector<Seat> seats_;
};

}  // namespace antiphon::sim
