// Persistent sends and receives: MPI 5.0, 3.9. Each holds the arguments of its operation, and references to their
// communicator and datatype, which the user may free.
#pragma once

#include <type_traits>

#include "engine/pt2pt/messages.hpp"
#include "objects/persistent.hpp"

namespace antiphon::pt2pt {

// `Arguments` is Send or Receive.
template <class Arguments>
class PersistentMessage final : public objects::PersistentRequest {
 public:
  PersistentMessage(Messages& engine, const Arguments& arguments)
      : PersistentRequest(objects::Ref<objects::Comm>::share(arguments.comm)),
        engine_(engine),
        arguments_(arguments),
        type_(arguments.scattered) {}

 private:
  objects::Ref<objects::Request> begin() override {
    if constexpr (std::is_same_v<Arguments, Send>)
      return engine_.start_send_with_request(arguments_);
    else
      return engine_.start_receive(arguments_);
  }

  Messages& engine_;
  Arguments arguments_;
  data::KeptType type_;
};

using PersistentSend = PersistentMessage<Send>;
using PersistentReceive = PersistentMessage<Receive>;

}  // namespace antiphon::pt2pt
