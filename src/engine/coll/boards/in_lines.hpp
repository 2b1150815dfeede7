// Collectives on a board in which the data of each rank fits into its line.
#pragma once

#include <optional>

#include "engine/coll/boards/board.hpp"
#include "engine/coll/reduction.hpp"

namespace antiphon::coll::in_lines {

// Those in which each rank needs the data of all.
template <class Exchange>
void exchange(Board& board, const Exchange& what) {
  Board::Turn turn(board, what.agreed());
  what.bring(turn.room());
  turn.publish();
  turn.await_all();
  what.take(turn.lines(), board.rank());
}

void bcast(Board& board, const Region& buffer, int root);
void reduce(Board& board, const std::optional<Vector>& mine, const Vector& result, int root);
void scan(Board& board, const std::optional<Vector>& mine, const Vector& result);
void exscan(Board& board, const std::optional<Vector>& mine, const Vector& result);
void gather(Board& board, const std::optional<Region>& mine, const Region& all, int root);
void scatter(Board& board, const Region& all, const std::optional<Region>& mine, int root);

}  // namespace antiphon::coll::in_lines
