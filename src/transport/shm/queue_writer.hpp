// The writing end of the queue in a process's inbox, used by any process of the node, and by any of its threads.
// Packets of one process stay in order. If a process dies between claiming a cell and publishing it, the queue is
// stuck; the launcher then ends the job.
#pragma once

#include "transport/shm/claims.hpp"
#include "transport/shm/inbox.hpp"

namespace antiphon::transport::shm {

class QueueWriter : private Claims {
 public:
  using Claims::Claim;

  // Whether the sender continues in a ring after this packet.
  enum class Next { here, in_ring };

  QueueWriter(const Inbox& inbox, int self)
      : Claims(inbox.queue(), inbox.queue_bytes()), inbox_(inbox), self_(static_cast<std::uint16_t>(self)) {}

  using Claims::max_payload;

  // False if there is no room: the reader then rings this process's bell when it has made room.
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

  // The sender field of a cell.
  [[nodiscard]] static int sender_of(const Cell& cell) noexcept { return cell.sender & ~kLast; }
  [[nodiscard]] static bool goes_on_in_ring(const Cell& cell) noexcept { return (cell.sender & kLast) != 0; }

 private:
  static constexpr std::uint16_t kLast = 0x8000;

  // Reads the word before the limits, so the limits are at least as new as the claims.
  bool claim_now(std::size_t bytes, Claim* claim) const noexcept {
    return Claims::try_claim(inbox_.claimed(), bytes, claim,
                             [this](const Position& to) { return !is_past(to, packet_limit(), line_limit()); });
  }
  // The writer sets its bit, then looks for room; the reader makes room, then looks at the bits. So one sees the
  // other.
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
