// How a long broadcast is given to those who read it: on pages, which is two copies at the same time, or lent. Then
// it stays where it is, each of the others has the system copy it from the root's memory, and the root waits for
// them. Which is faster differs from machine to machine, so each root learns it, for each range of lengths: what
// lending takes it sees itself, what pages take the rank after it says, as a root of pages runs ahead. Whoever may
// not read what is lent says so, and that root lends no more. Belongs to the Board; guarded by the lane's lock.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/preference.hpp"
#include "engine/coll/boards/board_memory.hpp"
#include "engine/coll/region.hpp"
#include "engine/pt2pt/experience.hpp"

namespace antiphon::coll {

enum class Given : std::uint8_t { on_pages, lent };

class Lending {
 public:
  // `fixed`: how this rank gives what it broadcasts; nothing: as has turned out to be the fastest.
  Lending(const BoardMemory& memory, int rank, std::optional<Given> fixed, const pt2pt::Clock& clock)
      : memory_(memory),
        rank_(rank),
        fixed_(fixed),
        clock_(clock),
        begun_(static_cast<std::size_t>(memory.ranks())) {}

  // One broadcast, on one rank.
  struct Broadcast {
    int root = 0;
    std::size_t bytes = 0, range = 0;
    Given given = Given::on_pages;  // the root says it
    std::uint64_t began = 0;        // ns; 0: nobody learns from it
  };

  // The next one of this root. All ranks begin the same ones, so they count alike.
  [[nodiscard]] Broadcast begin(const Region& buffer, int root);
  // What the root has said, to one who reads; and who may not read what is lent.
  void hear(Broadcast& broadcast, Given given, std::uint64_t began);
  void refuse(int root);
  // Whether all who have read what this rank has lent could do so.
  [[nodiscard]] bool all_could_read();
  // It is over for this rank.
  void end(const Broadcast& broadcast);

 private:
  template <class Each>
  using ByRange = std::array<Each, BoardSeat::kRanges>;

  // How this rank gives what lies in one piece.
  [[nodiscard]] Given way(std::size_t range, const base::Occasion& occasion);
  [[nodiscard]] int after(int root) const { return (root + 1) % memory_.ranks(); }

  const BoardMemory memory_;
  const int rank_;
  const std::optional<Given> fixed_;
  const pt2pt::Clock& clock_;
  std::vector<ByRange<std::uint32_t>> begun_;  // by each root
  // Of this rank's own: what is known of them, and what it has heard last of those on pages.
  ByRange<base::Preference<Given>> preferences_;
  ByRange<std::uint64_t> heard_{};
  bool is_refused_ = false;
};

}  // namespace antiphon::coll
