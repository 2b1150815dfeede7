// A process's channel to itself: packets wait in private memory until the next poll, as they would from a peer, so
// that no handler runs inside a send. What waits is limited in bytes; beyond, a send is told `full`.
#pragma once

#include <deque>
#include <functional>
#include <memory>

#include "transport/channel.hpp"

namespace antiphon::transport {

class Loopback final : public Transport {
 public:
  // `published` is called after each send: another thread of the process may sleep until something comes. `lacking`
  // is called when a send is told `full` for want of memory, as no poll may ever make room for it.
  explicit Loopback(
      int self, std::function<void()> published = [] {}, std::function<void()> lacking = [] {})
      : self_(self), published_(std::move(published)), lacking_(std::move(lacking)) {}
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
  std::function<void()> lacking_;
  std::deque<Packet> waiting_;
  std::size_t waiting_bytes_ = 0;  // of memory, overhead included
};

}  // namespace antiphon::transport
