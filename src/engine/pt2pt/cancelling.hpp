// Taking back sends that somebody still has to receive: MPI 5.0, 3.8.4. The sender asks, the receiver gives the
// message up if nobody has taken it yet and says so; if somebody has, the send ends as if nothing had been asked for.
// The question follows the message on the same link, so it never comes before it, nor after a later one with the same
// cookie. Belongs to Messages; guarded by the lane's lock.
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
