#include "engine/coll/boards/in_lines.hpp"

#include "engine/coll/boards/exchange.hpp"
#include "engine/coll/boards/values.hpp"
#include "engine/coll/steps.hpp"

namespace antiphon::coll::in_lines {

void bcast(Board& board, const Region& buffer, int root) {
  Board::Turn turn(board, {Operation::bcast, buffer.bytes, root});
  if (board.rank() != root) return read(turn.of(root), buffer);
  write(buffer, turn.room());
  turn.publish();
}

void reduce(Board& board, const std::optional<Vector>& mine, const Vector& result, int root) {
  const Vector& given = mine ? *mine : result;
  Board::Turn turn(board, {Operation::reduce, given.region().bytes, root, given.reduction().op()});
  if (board.rank() != root) {
    write(given.region(), turn.room());
    return turn.publish();
  }
  Values values(given);
  for (int rank = 0; rank < board.size(); ++rank)
    if (rank != root)
      values.take(rank, turn.of(rank));
    else
      values.take(rank, given);
  values.combine_to(root, board.size());
  values.give(root, result);
}

void scan(Board& board, const std::optional<Vector>& mine, const Vector& result) {
  const Region given = (mine ? *mine : result).region();
  Board::Turn turn(board, {Operation::scan, given.bytes, 0, result.reduction().op()});
  write(given, turn.room());
  turn.publish();
  Values values(result);
  for (int rank = 0; rank <= board.rank(); ++rank) values.take(rank, turn.of(rank));
  values.combine_until(board.rank());
  values.give(board.rank(), result);
}

void exscan(Board& board, const std::optional<Vector>& mine, const Vector& result) {
  const Region given = (mine ? *mine : result).region();
  Board::Turn turn(board, {Operation::exscan, given.bytes, 0, result.reduction().op()});
  write(given, turn.room());
  turn.publish();
  if (board.rank() == 0) return;
  Values values(result);
  for (int rank = 0; rank < board.rank(); ++rank) values.take(rank, turn.of(rank));
  values.combine_until(board.rank() - 1);
  values.give(board.rank() - 1, result);
}

void gather(Board& board, const std::optional<Region>& mine, const Region& all, int root) {
  const bool is_root = board.rank() == root;
  const std::size_t bytes = is_root ? all.bytes / static_cast<std::size_t>(board.size()) : mine->bytes;
  Board::Turn turn(board, {Operation::gather, bytes, root});
  if (!is_root) {
    write(*mine, turn.room());
    return turn.publish();
  }
  for (int rank = 0; rank < board.size(); ++rank)
    if (rank != root)
      read(turn.of(rank), all.block(rank, board.size()));
    else if (mine)
      copy(*mine, all.block(root, board.size()));
}

void scatter(Board& board, const Region& all, const std::optional<Region>& mine, int root) {
  const bool is_root = board.rank() == root;
  const auto ranks = static_cast<std::size_t>(board.size());
  const std::size_t each = is_root ? all.bytes / ranks : mine->bytes;
  Board::Turn turn(board, {Operation::scatter, each * ranks, root});
  if (!is_root) return read(turn.of(root) + each * static_cast<std::size_t>(board.rank()), *mine);
  write(all, turn.room());
  turn.publish();
  if (mine) copy(all.block(root, board.size()), *mine);
}

}  // namespace antiphon::coll::in_lines
