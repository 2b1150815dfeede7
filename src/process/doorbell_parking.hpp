// Sleeping as a real process does: on the doorbell in its slot of the job segment, after writing there what it waits
// for, so that mpiexec can explain a hang. Belongs to the process's one lane.
#pragma once

#include "bootstrap/bootstrap.hpp"
#include "platform/linux/asymmetric_fence.hpp"
#include "process/call_context.hpp"
#include "progress/lane.hpp"
#include "progress/parking.hpp"

namespace antiphon::process {

class DoorbellParking final : public progress::Parking {
 public:
  // `call` is read when the process goes to sleep.
  DoorbellParking(const bootstrap::Header& job, bootstrap::RankSlot& slot, const CallContext& call,
                  const progress::Lane& lane);

  [[nodiscard]] int spin_looks() const noexcept override { return spin_looks_; }
  bool breathe(int look) noexcept override;
  [[nodiscard]] bool crowded() const noexcept override { return oversubscribed_; }
  Ticket announce(const progress::WaitReason&) noexcept override;
  bool park(Ticket, Patience) noexcept override;
  void retract() noexcept override;
  void wake_own_threads() noexcept override;

 private:
  [[nodiscard]] std::uint32_t sleeping_mark() const noexcept;
  void publish(const progress::WaitReason&) noexcept;

  bootstrap::RankSlot& slot_;
  const CallContext& call_;
  const progress::Lane& lane_;
  platform::AsymmetricFence fence_;
  bool oversubscribed_;
  int spin_looks_;
  std::uint32_t sleepers_ = 0;
};

}  // namespace antiphon::process
