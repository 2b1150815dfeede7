// What waits in a link's queue and goes out packet by packet, as the channel takes them: a message, a part of a
// protocol, a put. Whichever engine made it, it goes behind what was submitted before it and before what comes after,
// so order among engines holds. Owned by the queue from submit() until it has gone; guarded by the lane's lock.
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

  // Gives the channel packets, of at most `max_payload` bytes each, for as long as it takes them.
  [[nodiscard]] virtual Went advance(transport::Channel& channel, std::size_t max_payload) = 0;
  // All of it has gone, and it is in the queue no longer. May send; deleted when this returns.
  virtual void has_gone() {}
};

}  // namespace antiphon::links
