// An entry of a link's queue, sent packet by packet as the channel takes them: a message, a part of a protocol, a
// put. It is sent after earlier entries and before later ones, from whichever engine, so order among engines
// holds. The queue owns it from submit() until it has been sent; the lane's lock protects it.
#pragma once

#include "base/intrusive_list.hpp"
#include "transport/channel.hpp"

namespace antiphon::links {

class Outbound : public base::ListHook {
 public:
  enum class Went { nothing, some, all };

  Outbound() = default;
  Outbound(const Outbound&) = delete;
  Outbound& operator=(const Outbound&) = delete;
  virtual ~Outbound() = default;

  // Sends packets of at most `max_payload` bytes for as long as the channel takes them.
  [[nodiscard]] virtual Went advance(transport::Channel& channel, std::size_t max_payload) = 0;
  // Called when all of it has been sent and it has left the queue. May send; it is deleted afterwards.
  virtual void has_gone() {}
};

}  // namespace antiphon::links
