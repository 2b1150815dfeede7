// Sleeping as a real process does: on the doorbell in its slot of the job segment, after writing there what it waits
// for, so that mpiexec can explain a hang. Used by the process's one lane.
#pragma once

#include "bootstrap/bootstrap.hpp"
#include "platform/linux/asymmetric_fence.hpp"
#include "process/call_context.hpp"
#include "progress/parking.hpp"

namespace antiphon::process {

class DoorbellParking final : public progress::Parking {
 public:
  // `call` is read when the process goes to sleep.
  DoorbellParking(const bootstrap::Header& job, bootstrap::RankSlot& slot, const CallContext& call);

  [[nodiscard]] int spin_looks() const noexcept override { return spin_looks_; }
  void announce(const progress::WaitReason&) noexcept override;
  void park() noexcept override;
  void retract() noexcept override;

 private:
  void publish(const progress::WaitReason&) noexcept;

  bootstrap::RankSlot& slot_;
  const CallContext& call_;
  platform::AsymmetricFence fence_;
  bool oversubscribed_;
  int spin_looks_;
  std::uint32_t bell_seen_ = 0;
};

}  // namespace antiphon::process
