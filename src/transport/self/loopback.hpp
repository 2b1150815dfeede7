// A process's channel to itself: packets wait in private memory until the next poll, as they would from a peer, so
// that no handler runs inside a send.
#pragma once

#include <deque>
#include <vector>

#include "transport/channel.hpp"

namespace antiphon::transport {

class Loopback final : public Transport {
 public:
  explicit Loopback(int self) : self_(self) {}
  [[nodiscard]] std::unique_ptr<Channel> connect(int peer) override;
  bool poll(const Dispatcher&) override;

 private:
  class Sender;
  struct Packet {
    PacketHeader header;
    std::vector<std::byte> payload;
  };
  int self_;
  std::deque<Packet> waiting_;
};

}  // namespace antiphon::transport
