// A process's channel to itself. Packets wait in private memory until the next poll, as packets from a peer would,
// so that no handler runs inside a send. The number of bytes that wait is limited; beyond that, a send returns
// `full`.
#pragma once

#include <deque>
#include <functional>
#include <memory>

#include "transport/channel.hpp"

namespace antiphon::transport {

class Loopback final : public Transport {
 public:
  // `published` is called after each send, because another thread of this process may sleep until a packet arrives.
  explicit Loopback(
      int self, std::function<void()> published = [] {})
      : self_(self), published_(std::move(published)) {}
  [[nodiscard]] std::unique_ptr<Channel> connect(int peer) override;
  bool poll(const Dispatcher&) override;

 private:
  class Sender;
  struct Packet {
    PacketHeader header;
    std::unique_ptr<std::byte[]> payload;
    std::size_t bytes;
  };
  int self_;
  std::function<void()> published_;
  std::deque<Packet> waiting_;
  std::size_t waiting_bytes_ = 0;  // of memory, overhead included
};

}  // namespace antiphon::transport
