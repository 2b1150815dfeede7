// Who sleeps, of the ranks that share a board, and for what. Whoever sleeps has said so, and set its bit, before it
// looked once more. Who has published something looks at the bits, and rings for those who have what they sleep for:
// where that is the word of all ranks, the last one rings, and nobody is woken in vain.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/coll/boards/board_memory.hpp"
#include "progress/progress.hpp"
#include "transport/peer_memory.hpp"

namespace antiphon::coll {

// The ranks of a board: what is needed to wake them; null for this process.
using BoardPeers = std::vector<transport::PeerMemory*>;

// That each of the ranks from `first` to `end` has come to collective `number`, or finished it.
struct Awaited {
  enum class Deed : std::uint8_t { comes, finishes };
  Deed deed;
  int first, end;
  std::int64_t number;
};

class Sleepers {
 public:
  // Peers and progress outlive it.
  Sleepers(const BoardMemory& memory, int rank, const BoardPeers& peers, progress::Progress& progress)
      : memory_(memory), rank_(rank), peers_(peers), progress_(progress) {}

  // This rank is about to sleep for that; or sleeps no longer.
  void announce(const Awaited& awaited);
  void retract() { memory_.sleepers().fetch_and(~bit_of(rank_), std::memory_order_relaxed); }

  // This rank has published something.
  void published() noexcept {
    progress_.fence_published();
    if (memory_.sleepers().load(std::memory_order_relaxed) != 0) [[unlikely]]
      ring();
  }

 private:
  static constexpr std::uint64_t bit_of(int rank) { return std::uint64_t{1} << rank; }
  [[nodiscard]] bool has_done(int rank, const Awaited& awaited) const;
  [[gnu::cold]] void ring() noexcept;

  const BoardMemory memory_;
  const int rank_;
  const BoardPeers& peers_;
  progress::Progress& progress_;
};

}  // namespace antiphon::coll
