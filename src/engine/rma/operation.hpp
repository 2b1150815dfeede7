// An operation by packets, at its origin, until nothing remains to be done there. The window counts it, and a user
// with a request waits for it (MPI 5.0, 12.3.5). Belongs to whatever carries the operation out: an entry of a link's
// queue, or the engine.
#pragma once

#include "engine/incoming.hpp"
#include "engine/rma/window_state.hpp"

namespace antiphon::rma {

// Refuses packets that want bytes which this process does not expose. In a dynamic window only the target knows what
// it exposes, so it is the target that tells the origin's program.
inline void need_exposed(const packets::Incoming& packet, const WindowState& state, std::uint64_t address,
                         std::uint64_t bytes) {
  packet.need(state.is_dynamic() || state.exposes(address, bytes), "this process does not expose those bytes");
}

class OperationRequest final : public objects::Request {
 public:
  explicit OperationRequest(const WindowState& state)
      : Request(Kind::one_sided, objects::Ref<objects::Comm>::share(state.comm())) {}

  void finish() noexcept {
    if (is_abandoned_)
      delete this;
    else
      complete();
  }

 protected:
  [[nodiscard]] bool abandon() noexcept override {
    is_abandoned_ = true;
    return false;
  }

 private:
  bool is_abandoned_ = false;
};

class Operation {
 public:
  // Creates *request, unless `request` is null.
  Operation(WindowState& state, int target, objects::Ref<OperationRequest>* request)
      : state_(state), target_(target) {
    state.begun(target);
    if (!request) return;
    *request = objects::Ref<OperationRequest>::adopt(new OperationRequest(state));
    request_ = request->get();
  }

  [[nodiscard]] WindowState& state() const { return state_; }
  [[nodiscard]] int target() const { return target_; }
  // The target has refused it, because the memory is not attached.
  void refused() {
    if (request_)
      request_->fail(abi::ERR_RMA_RANGE, state_.not_attached_text());
    else
      state_.refused();
  }
  void over() {
    state_.over(target_);
    if (request_) request_->finish();
  }

 private:
  WindowState& state_;
  int target_;
  OperationRequest* request_ = nullptr;  // lives at least until finish()
};

}  // namespace antiphon::rma
