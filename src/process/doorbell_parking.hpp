// The Parking of a real process: it sleeps until the doorbell in its slot of the job segment rings, or something
// comes from another node (Waker). Before that, it writes into the slot what it waits for, so that mpiexec can
// explain a hang. Belongs to the Process, which has one lane.
#pragma once

#include <atomic>
#include <span>

#include "bootstrap/bootstrap.hpp"
#include "counters/counters.hpp"
#include "platform/linux/asymmetric_fence.hpp"
#include "process/waker.hpp"
#include "progress/lane.hpp"
#include "progress/parking.hpp"
#include "settings/values.hpp"

namespace antiphon::process {

class DoorbellParking final : public progress::Parking {
 public:
  // `call` is read when the process goes to sleep. `slots` are those of all ranks of the node; failure_of() searches
  // them. `descriptors` are what a process with connections to other nodes sleeps on besides; null: there are none.
  DoorbellParking(const bootstrap::Header& job, bootstrap::RankSlot& slot, const progress::CallContext& call,
                  const progress::Lane& lane, const settings::Values& settings, counters::Counters& counters,
                  std::span<const bootstrap::RankSlot> slots = {}, Descriptors* descriptors = nullptr);

  [[nodiscard]] int spin_looks() const noexcept override;
  bool breathe(int look, Others others) noexcept override;
  [[nodiscard]] bool crowded() const noexcept override { return oversubscribed_; }
  Ticket announce(const progress::WaitReason&) noexcept override;
  bool park(Ticket, Patience) noexcept override;
  void retract() noexcept override;
  [[nodiscard]] bool is_waking() const noexcept override {
    return waker_.rings() != heard_.load(std::memory_order_relaxed);
  }
  void wake_own_threads() noexcept override { waker_.wake_own_threads(); }
  void tell_failure(const progress::NthCollective& which, std::string_view why) noexcept override;
  [[nodiscard]] std::string failure_of(int process, const progress::NthCollective& which) const override;

 private:
  [[nodiscard]] std::uint32_t sleeping_mark() const noexcept;
  void publish(const progress::WaitReason&) noexcept;
  std::chrono::nanoseconds yield_core() noexcept;
  [[nodiscard]] bool share_core(int look) noexcept;

  bootstrap::RankSlot& slot_;
  Waker waker_;
  std::span<const bootstrap::RankSlot> slots_;
  const progress::CallContext& call_;
  const progress::Lane& lane_;
  const settings::Values& settings_;
  counters::Counters& counters_;
  platform::AsymmetricFence fence_;
  bool oversubscribed_;
  bool has_peers_;
  int looks_alone_ = 0;   // polls left before the next yield
  int yields_ = 0;        // in this wait
  int turns_lost_ = 0;    // consecutive yields that cost a time slice
  int waits_asleep_ = 0;  // waits left that sleep without yielding
  std::uint32_t sleepers_ = 0;
  std::atomic<Ticket> heard_ = 0;  // the doorbell when a thread last announced its sleep
};

}  // namespace antiphon::process
