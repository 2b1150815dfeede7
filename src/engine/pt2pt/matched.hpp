// A message that a matched probe has found: MPI 5.0, 3.8.2. The matcher has removed it from its queue, so no other
// receive, of whatever thread, can match it. The user's handle owns it until it is received; the lane's lock
// protects it.
#pragma once

#include "engine/pt2pt/requests.hpp"

namespace antiphon::pt2pt {

class MatchedMessage final : public objects::Refcounted {
 public:
  MatchedMessage(objects::Comm& comm, std::unique_ptr<Unexpected> message)
      : comm_(objects::Ref<objects::Comm>::share(comm)), message_(std::move(message)) {}

  [[nodiscard]] objects::Comm& comm() const { return *comm_; }
  [[nodiscard]] objects::Outcome outcome() const { return message_->outcome(); }
  // Call it once: the receive takes the message over.
  [[nodiscard]] std::unique_ptr<Unexpected> take() { return std::move(message_); }

 private:
  objects::Ref<objects::Comm> comm_;
  std::unique_ptr<Unexpected> message_;
};

}  // namespace antiphon::pt2pt
