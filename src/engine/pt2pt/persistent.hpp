// Sends and receives that are started again and again: MPI 5.0, 3.9. Each holds the arguments of its operation, and
// the communicator and the datatype that they name, which the user may free.
#pragma once

#include "engine/pt2pt/pt2pt.hpp"
#include "objects/persistent.hpp"

namespace antiphon::pt2pt {

// A datatype that the user may free while it is still needed.
class KeptType {
 public:
  explicit KeptType(const Scattered& scattered) {
    if (scattered) type_ = objects::Ref<objects::Datatype>::share(const_cast<objects::Datatype&>(*scattered.type));
  }

 private:
  objects::Ref<objects::Datatype> type_;
};

class PersistentSend final : public objects::PersistentRequest {
 public:
  PersistentSend(PointToPoint& engine, const Send& send)
      : PersistentRequest(objects::Ref<objects::Comm>::share(send.comm)),
        engine_(engine),
        send_(send),
        type_(send.scattered) {}

 private:
  objects::Ref<objects::Request> begin() override { return engine_.start_send_with_request(send_); }

  PointToPoint& engine_;
  Send send_;
  KeptType type_;
};

class PersistentReceive final : public objects::PersistentRequest {
 public:
  PersistentReceive(PointToPoint& engine, const Receive& receive)
      : PersistentRequest(objects::Ref<objects::Comm>::share(receive.comm)),
        engine_(engine),
        receive_(receive),
        type_(receive.scattered) {}

 private:
  objects::Ref<objects::Request> begin() override { return engine_.start_receive(receive_); }

  PointToPoint& engine_;
  Receive receive_;
  KeptType type_;
};

}  // namespace antiphon::pt2pt
