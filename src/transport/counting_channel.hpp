// A channel that counts the packets and bytes that it passes on to another channel. It exists only if the setting
// `counters` is on, because it makes every packet one call slower.
#pragma once

#include "counters/counters.hpp"
#include "transport/channel.hpp"

namespace antiphon::transport {

class CountingChannel final : public Channel {
 public:
  CountingChannel(std::unique_ptr<Channel> channel, counters::Counters& counters)
      : channel_(std::move(channel)), counters_(counters) {}

  [[nodiscard]] SendStatus try_send(const PacketHeader& header, Payload payload) noexcept override {
    const SendStatus status = channel_->try_send(header, payload);
    if (status == SendStatus::sent)
      count(payload.size());
    else
      counters_.full_channels.add();
    return status;
  }
  [[nodiscard]] std::byte* reserve(std::size_t bytes) noexcept override {
    std::byte* const room = channel_->reserve(bytes);
    if (!room) counters_.full_channels.add();
    return room;
  }
  void commit(const PacketHeader& header, std::size_t bytes) noexcept override {
    channel_->commit(header, bytes);
    count(bytes);
  }
  [[nodiscard]] const Capabilities& capabilities() const noexcept override { return channel_->capabilities(); }
  [[nodiscard]] PeerMemory* peer_memory() noexcept override { return channel_->peer_memory(); }

 private:
  void count(std::size_t bytes) noexcept {
    counters_.packets_sent.add();
    counters_.bytes_sent.add(bytes);
  }

  std::unique_ptr<Channel> channel_;
  counters::Counters& counters_;
};

}  // namespace antiphon::transport
