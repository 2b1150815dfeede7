// An operation that takes packets, on this side: from its beginning until nothing more has to be done here, as its
// window counts it, and as its user waits for it who has asked for a request (MPI 5.0, 12.3.5). Belongs to what
// carries the operation out: a queue's outbound, or the engine.
#pragma once

#include "engine/rma/window_state.hpp"

namespace antiphon::rma {

class OperationRequest final : public objects::Request {
 public:
  explicit OperationRequest(const WindowState& state)
      : Request(Kind::one_sided, objects::Ref<objects::Comm>::share(state.comm())) {}

  void begin() noexcept { has_begun_ = true; }
  void finish() noexcept {
    if (is_abandoned_)
      delete this;
    else
      complete();
  }

 protected:
  [[nodiscard]] bool abandon() noexcept override {
    is_abandoned_ = true;
    return !has_begun_;
  }

 private:
  bool has_begun_ = false;
  bool is_abandoned_ = false;
};

class Operation {
 public:
  // *request is made unless null: nobody asks for one. The operation counts from begin() on, which comes when nothing
  // can fail any more.
  Operation(WindowState& state, int target, objects::Ref<OperationRequest>* request)
      : state_(state), target_(target) {
    if (!request) return;
    *request = objects::Ref<OperationRequest>::adopt(new OperationRequest(state));
    request_ = request->get();
  }

  void begin() const noexcept {
    state_.begun(target_);
    if (request_) request_->begin();
  }
  [[nodiscard]] WindowState& state() const { return state_; }
  [[nodiscard]] int target() const { return target_; }
  // The target cannot do it.
  void refused() {
    if (request_)
      request_->fail(abi::ERR_RMA_RANGE, [this] { return state_.not_attached_text(); });
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
  OperationRequest* request_ = nullptr;  // lives until finish() at least
};

}  // namespace antiphon::rma
