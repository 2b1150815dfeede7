// Cancels sends that no receive has matched yet: MPI 5.0, 3.8.4. The sender asks the receiver to cancel. If no
// receive has matched the message, the receiver drops it and confirms that; otherwise it ignores the request, and the
// send completes as usual. The request follows the message on the same link, so it arrives after that message and
// before a later one with the same cookie. Belongs to Messages; the lane protects it.
#pragma once

#include "engine/links/links.hpp"
#include "engine/pt2pt/matching.hpp"

namespace antiphon::pt2pt {

class Cancelling {
 public:
  Cancelling(Matching& matching, links::Links& links, SendPool& sends, transport::Dispatcher& dispatcher);

  // The send must not be complete.
  void cancel(SendRequest& request);

 private:
  void on_cancel(int source, const transport::PacketHeader&, transport::Payload, const base::LaneHeld&);
  void on_given_up(int source, const transport::PacketHeader&, transport::Payload, const base::LaneHeld&);

  Matching& matching_;
  links::Links& links_;
  SendPool& sends_;
};

}  // namespace antiphon::pt2pt
