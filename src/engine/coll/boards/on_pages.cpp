#include "engine/coll/boards/on_pages.hpp"

#include "engine/coll/boards/parts.hpp"
#include "engine/coll/steps.hpp"
#include "engine/data/move.hpp"

namespace antiphon::coll::on_pages {

namespace {

std::size_t part_of(const Region& blocks, int ranks) { return blocks.bytes / static_cast<std::size_t>(ranks); }

// Waits for a rank; unpacks `bytes` bytes of its page, from `at` on, as packed bytes from `offset` on of a region.
void read(Board::PageTurn& turn, int rank, const Region& to, std::size_t offset, std::size_t bytes,
          std::size_t at = 0) {
  turn.read(rank, bytes,
            [&](const std::byte* page) { data::unpack_part(to.at, to.scattered, offset, page + at, bytes); });
}

}  // namespace

void bcast(Board& board, const Region& buffer, int root) {
  const bool is_root = board.rank() == root;
  in_parts(board, buffer.bytes, board.part_bytes(Operation::bcast), [&](std::size_t offset, std::size_t bytes) {
    Board::PageTurn turn(board, {Operation::bcast, buffer.bytes, root}, bytes);
    if (is_root) {
      turn.make_room();
      turn.write(buffer, offset, bytes);
      turn.publish();
    } else {
      read(turn, root, buffer, offset, bytes);
    }
  });
}

void gather(Board& board, const std::optional<Region>& mine, const Region& all, int root) {
  const bool is_root = board.rank() == root;
  const std::size_t bytes = is_root ? part_of(all, board.size()) : mine->bytes;
  if (is_root && mine) copy(*mine, all.block(root, board.size()));
  in_parts(board, bytes, board.part_bytes(Operation::gather), [&](std::size_t offset, std::size_t length) {
    Board::PageTurn turn(board, {Operation::gather, bytes, root}, length);
    if (!is_root) {
      turn.make_room();
      turn.write(*mine, offset, length);
      return turn.publish();
    }
    for (int rank = 0; rank < board.size(); ++rank)
      if (rank != root) read(turn, rank, all.block(rank, board.size()), offset, length);
  });
}

void scatter(Board& board, const Region& all, const std::optional<Region>& mine, int root) {
  const bool is_root = board.rank() == root;
  const std::size_t bytes = is_root ? part_of(all, board.size()) : mine->bytes;
  in_parts(board, bytes, Parts::most(board, Operation::scatter), [&](std::size_t offset, std::size_t length) {
    const Parts parts(board, length);
    Board::PageTurn turn(board, {Operation::scatter, bytes, root}, parts.bytes());
    if (!is_root) return read(turn, root, *mine, offset, length, parts.from(root, board.rank()));
    turn.make_room();
    for (int rank = 0; rank < board.size(); ++rank)
      if (rank != root) turn.write(all.block(rank, board.size()), offset, length, parts.from(root, rank));
    if (mine) copy(all.block(root, board.size()), *mine, offset, length);  // while stores to the page complete
    turn.publish();
  });
}

void allgather(Board& board, const std::optional<Region>& mine, const Region& all) {
  const Region given = mine ? *mine : all.block(board.rank(), board.size());
  in_parts(board, given.bytes, board.part_bytes(Operation::allgather), [&](std::size_t offset, std::size_t length) {
    Board::PageTurn turn(board, {Operation::allgather, given.bytes}, length);
    turn.make_room();
    turn.write(given, offset, length);
    turn.publish();
    turn.await_all();
    for (int rank = 0; rank < board.size(); ++rank)
      if (rank != board.rank()) read(turn, rank, all.block(rank, board.size()), offset, length);
  });
  if (mine) copy(*mine, all.block(board.rank(), board.size()));
}

void alltoall(Board& board, const std::optional<Region>& out, const Region& in) {
  const Region& given = out ? *out : in;
  const int here = board.rank();
  const std::size_t bytes = part_of(given, board.size());
  in_parts(board, bytes, Parts::most(board, Operation::alltoall), [&](std::size_t offset, std::size_t length) {
    const Parts parts(board, length);
    Board::PageTurn turn(board, {Operation::alltoall, bytes}, parts.bytes());
    turn.make_room();
    for (int rank = 0; rank < board.size(); ++rank)
      if (rank != here) turn.write(given.block(rank, board.size()), offset, length, parts.from(here, rank));
    turn.publish();
    turn.await_all();
    for (int rank = 0; rank < board.size(); ++rank)
      if (rank != here) read(turn, rank, in.block(rank, board.size()), offset, length, parts.from(rank, here));
  });
  if (out) copy(out->block(board.rank(), board.size()), in.block(board.rank(), board.size()));
}

}  // namespace antiphon::coll::on_pages
