// Finds frequent senders: counts the packets of each sender, and halves all counts from time to time. If all send
// equally much, as in an all-to-all exchange, no sender stands out; if only a few send, each of them does after a few
// packets. Belongs to a transport; used by the thread that reads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace antiphon::transport::shm {

class Talk {
 public:
  Talk(int senders, int much) : much_(much), heard_(static_cast<std::size_t>(senders)) {}

  // Counts a packet of this sender. True if it is a frequent sender; then its count is halved, so half as many
  // further packets make this true again.
  [[nodiscard]] bool hear(int sender) noexcept {
    if (++packets_ % kOfLate == 0) halve();
    std::uint8_t& heard = heard_[static_cast<std::size_t>(sender)];
    if (++heard < much_) return false;
    heard /= 2;
    return true;
  }
  // Packets of all senders.
  [[nodiscard]] std::uint64_t packets() const noexcept { return packets_; }

 private:
  static constexpr std::uint64_t kOfLate = 128;  // packets

  [[gnu::noinline]] void halve() noexcept {
    for (std::uint8_t& heard : heard_) heard /= 2;
  }

  int much_;
  std::uint64_t packets_ = 0;
  std::vector<std::uint8_t> heard_;
};

}  // namespace antiphon::transport::shm
