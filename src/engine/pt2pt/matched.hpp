// A message that a matched probe has found: MPI 5.0, 3.8.2. It has left the matcher, so no other receive, of whatever
// thread, can take it. Owned by the user's handle until it is received; guarded by the lane's lock.
#pragma once

#include "engine/pt2pt/requests.hpp"

namespace antiphon::pt2pt {

class MatchedMessage final : public objects::Refcounted {
 public:
  MatchedMessage(objects::Comm& comm, std::unique_ptr<Unexpected> message)
      : comm_(objects::Ref<objects::Comm>::share(comm)), message_(std::move(message)) {}

  [[nodiscard]] objects::Comm& comm() const { return *comm_; }
  [[nodiscard]] objects::Outcome outcome() const { return message_->outcome(); }
  [[nodiscard]] Unexpected& message() const { return *message_; }

 private:
  objects::Ref<objects::Comm> comm_;
  std::unique_ptr<Unexpected> message_;
};

}  // namespace antiphon::pt2pt
