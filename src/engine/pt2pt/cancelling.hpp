// Cancels sends that no receive has matched yet: MPI 5.0, 3.8.4. The sender asks, and if no receive has matched
// the message, the receiver drops it and says so; otherwise the send ends as if nobody had asked. The request
// follows the message on the same link, so it arrives after that message, and before a later one with the same
// cookie. Belongs to Messages; the lane's lock protects it.
#pragma once

#include "engine/links/links.hpp"
#include "engine/pt2pt/matching.hpp"

namespace antiphon::pt2pt {

class Cancelling {
 public:
  Cancelling(Matching& matching, links::Links& links, transport::Dispatcher& dispatcher);

  // Of a send that is not over.
  void cancel(SendRequest& request);

 private:
  void on_cancel(int source, const transport::PacketHeader&, transport::Payload, const base::LaneHeld&);
  void on_given_up(int source, const transport::PacketHeader&, transport::Payload, const base::LaneHeld&);

  Matching& matching_;
  links::Links& links_;
};

}  // namespace antiphon::pt2pt
