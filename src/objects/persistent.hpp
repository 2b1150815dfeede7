// A request that begins the same operation again and again: MPI 5.0, 3.9. It is inactive but from start() until the
// user has been told how the operation it began ended; the handle stays. Owned by that handle; an operation under way
// keeps itself alive, so a persistent request may be freed meanwhile. What is begun, each engine says for its own
// kind: point-to-point, partitioned, collective. Guarded by the lane's lock.
#pragma once

#include "objects/request.hpp"

namespace antiphon::objects {

class PersistentRequest : public Request {
 public:
  ~PersistentRequest() override { deactivate(); }

  // The operation that has been begun and not concluded; null while inactive.
  [[nodiscard]] Request* active() const { return active_.get(); }
  // Only while inactive. Stays so if the operation cannot be begun.
  void start() {
    active_ = begin();
    active_->set_of_persistent(true);
  }
  void deactivate() {
    if (active_) active_->set_of_persistent(false);
    active_.reset();
  }

 protected:
  explicit PersistentRequest(Ref<Comm> comm) : Request(Kind::persistent, std::move(comm)) {}
  // The operation, which may be over already.
  [[nodiscard]] virtual Ref<Request> begin() = 0;

 private:
  Ref<Request> active_;
};

}  // namespace antiphon::objects
