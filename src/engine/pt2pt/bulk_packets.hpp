// Moves long messages in packets, which is always possible: the receiver requests as many bytes as its buffer holds,
// and the sender's link sends them packet by packet.
#pragma once

#include "engine/pt2pt/way.hpp"

namespace antiphon::pt2pt {

class BulkPackets final : public Way {
 public:
  BulkPackets(const Around& around, transport::Dispatcher& dispatcher);
  [[nodiscard]] bool begin(ReceiveRequest& request, const Announced& message) override;

 private:
  void on_clear_to_send(int source, const transport::PacketHeader&, transport::Payload, const base::LaneHeld&);
  void on_data(int source, const transport::PacketHeader&, transport::Payload, const base::LaneHeld&);

  links::Pending<ReceiveRequest*, links::PendingKind::receive> receiving_;
};

}  // namespace antiphon::pt2pt
