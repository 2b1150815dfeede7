// Which ranks of a board sleep, and for what. A rank announces its sleep and sets its bit before it looks once more,
// and then sleeps. A rank that has published something looks at the bits, and wakes those that now have everything
// that they sleep for. So the last of several awaited ranks wakes a sleeper, and no wake-up is in vain.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/coll/boards/board_memory.hpp"
#include "progress/progress.hpp"
#include "transport/peer_memory.hpp"

namespace antiphon::coll {

// How to wake each rank of a board; null for this process.
using BoardPeers = std::vector<transport::PeerMemory*>;

// Each rank from `first` to before `end` has published collective `number`, or has finished it.
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

  // This rank is about to sleep for `awaited`; or it sleeps no longer.
  void announce(const Awaited& awaited);
  void retract() { memory_.sleepers().fetch_and(~bit_of(rank_), std::memory_order_relaxed); }

  // Call after this rank has published something.
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
