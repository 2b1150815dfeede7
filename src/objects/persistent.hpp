// A request that starts the same operation again and again: MPI 5.0, 3.9. It is active from start() until the user
// has been told the outcome of the operation; the handle stays. The handle owns it; an operation under way keeps
// itself alive, so a persistent request may be freed meanwhile. Each engine derives a class for its kind of
// operation: point-to-point, partitioned, collective. The lane's lock protects it.
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
