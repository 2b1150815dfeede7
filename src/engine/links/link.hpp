// The connection to one process of the job: its channel, the channel's limits (or lower ones that settings give),
// and the queue of packets that the channel could not take at once. While the queue is not empty, everything else
// waits behind it. Links creates it when somebody first sends to the process, and keeps it to the end. The lane's
// lock protects it; other threads may call takes_at_once(), and if that is true, send through the channel.
#pragma once

#include <algorithm>
#include <atomic>
#include <memory>

#include "engine/links/outbound.hpp"
#include "settings/values.hpp"

namespace antiphon::links {

// Which threads send packets: only the one that holds the lane, or several.
enum class Senders { lane_only, many };

class Link {
 public:
  Link(int process, std::unique_ptr<transport::Channel> channel, Senders senders, const settings::Values& settings)
      : channel_(std::move(channel)),
        max_payload_(max_payload_of(*channel_, settings)),
        eager_limit_(settings.eager_limit != 0 ? settings.eager_limit : channel_->capabilities().eager_limit),
        opens_below_(may_be_used(*channel_, senders) ? std::min(max_payload_, eager_limit_) + 1 : 0),
        process_(process) {
    open();
  }
  ~Link() {
    while (!queue_.empty()) take_first();
  }
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;

  [[nodiscard]] int process() const { return process_; }
  [[nodiscard]] transport::Channel& channel() const { return *channel_; }
  [[nodiscard]] std::size_t max_payload() const { return max_payload_; }
  [[nodiscard]] std::size_t eager_limit() const { return eager_limit_; }

  // Whether any thread may send `bytes` bytes as one packet now: the queue is empty, and if several threads send, the
  // channel allows that.
  [[nodiscard]] bool takes_at_once(std::size_t bytes) const noexcept {
    return bytes < open_below_.load(std::memory_order_relaxed);
  }
  // Whether the queue is empty.
  [[nodiscard]] bool is_clear() const { return queue_.empty(); }
  // Sends one packet, in order with all others. False if it would have to wait; then nothing has happened.
  [[nodiscard]] bool try_packet(const transport::PacketHeader& header, transport::Payload payload) {
    return is_clear() && channel_->try_send(header, payload) == transport::SendStatus::sent;
  }

 private:
  friend class Links;

  static bool may_be_used(const transport::Channel& channel, Senders senders) {
    return senders == Senders::lane_only || channel.capabilities().many_senders;
  }
  static std::size_t max_payload_of(const transport::Channel& channel, const settings::Values& settings) {
    const std::size_t most = channel.capabilities().max_payload;
    return settings.max_payload != 0 ? std::min(settings.max_payload, most) : most;
  }
  void open() { open_below_.store(opens_below_, std::memory_order_relaxed); }
  void enqueue(std::unique_ptr<Outbound> last) {
    open_below_.store(0, std::memory_order_relaxed);
    queue_.push_back(*last.release());
  }
  std::unique_ptr<Outbound> take_first() {
    std::unique_ptr<Outbound> first(&queue_.front());
    queue_.pop_front();
    if (queue_.empty()) open();
    return first;
  }
  [[nodiscard]] Outbound& first() { return queue_.front(); }

  std::atomic<std::size_t> open_below_ = 0;
  std::unique_ptr<transport::Channel> channel_;
  std::size_t max_payload_;
  std::size_t eager_limit_;
  const std::size_t opens_below_;
  int process_;
  base::IntrusiveList<Outbound> queue_;
};

}  // namespace antiphon::links
