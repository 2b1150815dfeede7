// The writing end of the queue in a process's inbox: for any process of the node, and any of its threads. What one
// process writes keeps its order. One that dies between claim and publication leaves the queue standing still: its
// job ends with it, by its launcher.
#pragma once

#include "transport/shm/claims.hpp"
#include "transport/shm/inbox.hpp"

namespace antiphon::transport::shm {

class QueueWriter : private Claims {
 public:
  using Claims::Claim;

  // Whether its sender goes on in a ring after a packet.
  enum class Next { here, in_ring };

  QueueWriter(const Inbox& inbox, int self)
      : Claims(inbox.queue(), inbox.queue_bytes()), inbox_(inbox), self_(static_cast<std::uint16_t>(self)) {}

  using Claims::max_payload;

  // False if there is no room: then whoever makes room rings this process's bell.
  [[nodiscard]] bool try_claim(std::size_t bytes, Claim* claim) const noexcept {
    if (claim_now(bytes, claim)) [[likely]]
      return true;
    ask_for_room();
    return claim_now(bytes, claim);
  }
  void publish(const Claim& claim, const PacketHeader& header, std::size_t bytes, Next next) const noexcept {
    cell(claim.packet).sender = static_cast<std::uint16_t>(self_ | (next == Next::in_ring ? kLast : 0));
    Claims::publish(claim, header, bytes);
  }
  [[nodiscard]] bool try_mark() const noexcept {
    Claim claim{};
    if (!claim_now(0, &claim)) return false;
    cell(claim.packet).sender = self_;
    publish_mark(claim.packet);
    return true;
  }

  // What a cell says of its sender.
  [[nodiscard]] static int sender_of(const Cell& cell) noexcept { return cell.sender & ~kLast; }
  [[nodiscard]] static bool goes_on_in_ring(const Cell& cell) noexcept { return (cell.sender & kLast) != 0; }

 private:
  static constexpr std::uint16_t kLast = 0x8000;

  // The word is looked at before the limits, so these are no older than what has been claimed.
  bool claim_now(std::size_t bytes, Claim* claim) const noexcept {
    return Claims::try_claim(inbox_.claimed(), bytes, claim,
                             [this](const Position& to) { return !is_past(to, packet_limit(), line_limit()); });
  }
  // This side asks, then looks for room; the other makes room, then looks who has asked.
  void ask_for_room() const noexcept {
    std::atomic<std::uint64_t>& word = inbox_.waiting(self_ / 64u);
    const std::uint64_t mine = std::uint64_t{1} << (self_ % 64);
    if ((word.load(std::memory_order_relaxed) & mine) == 0) word.fetch_or(mine, std::memory_order_seq_cst);
    std::atomic_thread_fence(std::memory_order_seq_cst);
  }

  Inbox inbox_;
  std::uint16_t self_;
};

}  // namespace antiphon::transport::shm
