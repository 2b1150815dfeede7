#include "engine/coll/boards/on_board.hpp"

#include <algorithm>

#include "engine/coll/boards/exchange.hpp"
#include "engine/coll/boards/values.hpp"
#include "engine/coll/steps.hpp"
#include "engine/data/move.hpp"

namespace antiphon::coll::on_board {

namespace {

std::size_t part_of(std::size_t bytes, int ranks) { return bytes / static_cast<std::size_t>(ranks); }
std::size_t part_of(const Region& blocks, int ranks) { return part_of(blocks.bytes, ranks); }

// In lines.
namespace in_line {

// What all need of all.
template <class Exchange>
void exchange(Board& board, const Exchange& what) {
  Board::Turn turn(board, what.agreed());
  what.bring(turn.room());
  turn.publish();
  turn.await_all();
  what.take(turn.lines(), board.rank());
}

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
  const bool in_order = root != 0 && !given.reduction().commutes();
  const int top = in_order ? 0 : root;
  values.combine_to(top, board.size());
  values.give(top, result);
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
  const std::size_t bytes = is_root ? part_of(all, board.size()) : mine->bytes;
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
  const std::size_t each = is_root ? part_of(all, board.size()) : mine->bytes;
  Board::Turn turn(board, {Operation::scatter, each, root});
  if (!is_root) return read(turn.of(root) + each * static_cast<std::size_t>(board.rank()), *mine);
  write(all, turn.room());
  turn.publish();
  if (mine) copy(all.block(root, board.size()), *mine);
}

}  // namespace in_line

// On pages.
namespace paged {

namespace {

// The bytes of a region from `offset` on, which begin `at` bytes into the page of a rank.
void read(Board::PageTurn& turn, int rank, const Region& to, std::size_t offset, std::size_t bytes,
          std::size_t at = 0) {
  turn.read(rank, bytes,
            [&](const std::byte* page) { data::unpack_part(to.at, to.scattered, offset, page + at, bytes); });
}

// Calls take(offset, length), which has a turn, for all parts of `bytes` that are no longer than `most`.
template <class Take>
void in_parts(Board& board, std::size_t bytes, std::size_t most, Take&& take) {
  for (std::size_t offset = 0; offset < bytes; offset += most) try {
      take(offset, std::min(most, bytes - offset));
    } catch (...) {
      board.skip((bytes - offset - 1) / most);
      throw;
    }
}

// A page may have a part for each other rank, all of the same length.
class Parts {
 public:
  Parts(const Board& board, std::size_t length) : others_(others(board)), each_(base::whole_lines(length)) {}
  // The longest that fit.
  [[nodiscard]] static std::size_t most(const Board& board) {
    return board.pages().page_bytes() / others(board) / base::kCacheLine * base::kCacheLine;
  }
  [[nodiscard]] std::size_t bytes() const { return others_ * each_; }
  // Where on the page of one rank that for another begins.
  [[nodiscard]] std::size_t from(int writer, int reader) const {
    return static_cast<std::size_t>(reader < writer ? reader : reader - 1) * each_;
  }

 private:
  static std::size_t others(const Board& board) { return static_cast<std::size_t>(board.size() - 1); }
  std::size_t others_, each_;
};

}  // namespace

// The root may lend what takes several turns. All ranks ask alike.
Lending::Broadcast begin_bcast(Board& board, const Region& buffer, int root) {
  return buffer.bytes > board.pages().page_bytes() ? board.lending().begin(buffer, root) : Lending::Broadcast{};
}

// What is lent is read in the first turn. If somebody may not, pages follow in the others, the first of which is
// twice as long.
void bcast(Board& board, const Region& buffer, int root) {
  const bool is_root = board.rank() == root;
  Lending::Broadcast broadcast = begin_bcast(board, buffer, root);
  std::size_t done = 0;  // bytes
  in_parts(board, buffer.bytes, board.pages().page_bytes(), [&](std::size_t offset, std::size_t length) {
    if (done == buffer.bytes) return board.skip(1);
    const std::size_t bytes = offset + length - done;
    Board::PageTurn turn(board, {Operation::bcast, buffer.bytes, root}, bytes);
    if (offset == 0 && length != buffer.bytes) {
      is_root ? turn.say(broadcast) : turn.hear(broadcast);
      if (broadcast.given == Given::lent) {
        if (is_root ? turn.lend(buffer) : turn.borrow(broadcast, buffer)) done = buffer.bytes;
        return;
      }
    }
    if (is_root) {
      turn.make_room();
      turn.write(buffer, done, bytes);
      turn.publish();
    } else {
      read(turn, root, buffer, done, bytes);
    }
    done += bytes;
  });
  board.lending().end(broadcast);
}

void gather(Board& board, const std::optional<Region>& mine, const Region& all, int root) {
  const bool is_root = board.rank() == root;
  const std::size_t bytes = is_root ? part_of(all, board.size()) : mine->bytes;
  if (is_root && mine) copy(*mine, all.block(root, board.size()));
  in_parts(board, bytes, board.pages().page_bytes(), [&](std::size_t offset, std::size_t length) {
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
  in_parts(board, bytes, Parts::most(board), [&](std::size_t offset, std::size_t length) {
    const Parts parts(board, length);
    Board::PageTurn turn(board, {Operation::scatter, bytes, root}, parts.bytes());
    if (!is_root) return read(turn, root, *mine, offset, length, parts.from(root, board.rank()));
    turn.make_room();
    for (int rank = 0; rank < board.size(); ++rank)
      if (rank != root) turn.write(all.block(rank, board.size()), offset, length, parts.from(root, rank));
    if (mine) copy(all.block(root, board.size()), *mine, offset, length);  // while the others' is on its way
    turn.publish();
  });
}

void allgather(Board& board, const std::optional<Region>& mine, const Region& all) {
  const Region given = mine ? *mine : all.block(board.rank(), board.size());
  in_parts(board, given.bytes, board.pages().page_bytes(), [&](std::size_t offset, std::size_t length) {
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
  in_parts(board, bytes, Parts::most(board), [&](std::size_t offset, std::size_t length) {
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

namespace {

// result := what rank 0 brings op what rank 1 brings, of which one is on a page, the other in `result`.
void combine_two(Board::PageTurn& turn, int rank, const Vector& result) {
  turn.read(1 - rank, result.region().bytes, [&](const std::byte* page) {
    auto* const theirs = const_cast<std::byte*>(page);
    if (rank == 0)
      result.reduction()(result.first(), theirs, result.elements(), Reduction::Into::left);
    else
      result.reduction()(theirs, result.first(), result.elements(), Reduction::Into::right);
  });
}

// What both regions have in common is read before it is written.
void move(const Region& from, const Region& to) {
  const bool are_apart = to.at + to.bytes <= from.at || from.at + from.bytes <= to.at;
  are_apart ? copy(from, to) : static_cast<void>(std::memmove(to.at, from.at, from.bytes));
}

template <class Take>
void in_parts(Board& board, const Vector& vector, Take&& take) {
  const auto extent = static_cast<std::size_t>(vector.reduction().extent());
  in_parts(board, vector.elements(), board.pages().page_bytes() / extent,
           [&](std::size_t first, std::size_t number) { take(first, first + number); });
}

}  // namespace

void reduce(Board& board, const std::optional<Vector>& mine, const Vector& result, int root) {
  const Vector& given = mine ? *mine : result;
  in_parts(board, given, [&](std::size_t first, std::size_t end) {
    const Region part = given.part(first, end).region();
    Board::PageTurn turn(board, {Operation::reduce, given.region().bytes, root, given.reduction().op()}, part.bytes);
    if (board.rank() != root) {
      turn.make_room();
      turn.write(part, 0, part.bytes);
      return turn.publish();
    }
    if (mine) copy(part, result.part(first, end).region());
    combine_two(turn, root, result.part(first, end));
  });
}

void allreduce(Board& board, const std::optional<Vector>& mine, const Vector& result) {
  const Vector& given = mine ? *mine : result;
  in_parts(board, given, [&](std::size_t first, std::size_t end) {
    const Region part = given.part(first, end).region();
    Board::PageTurn turn(board, {Operation::allreduce, given.region().bytes, 0, given.reduction().op()}, part.bytes);
    turn.make_room();
    turn.write(part, 0, part.bytes);
    turn.publish();
    if (mine) copy(part, result.part(first, end).region());
    turn.await_all();
    combine_two(turn, board.rank(), result.part(first, end));
  });
}

// Each writes what the other is to have. A share may lie within the vector, but not behind where it is brought.
void reduce_scatter(Board& board, const Vector& all, const Shares& shares, const Vector& share) {
  const int here = board.rank(), there = 1 - here;
  const Vector ours = shares.of(all, here, here + 1), theirs = shares.of(all, there, there + 1);
  in_parts(board, ours.elements() > theirs.elements() ? ours : theirs, [&](std::size_t first, std::size_t end) {
    const auto part_of = [&](const Vector& whole) {
      return whole.part(std::min(first, whole.elements()), std::min(end, whole.elements()));
    };
    const Region given = part_of(theirs).region();
    const Vector result = part_of(share);
    Board::PageTurn turn(board, {Operation::reduce_scatter, all.region().bytes, 0, all.reduction().op()}, given.bytes);
    turn.make_room();
    turn.write(given, 0, given.bytes);
    turn.publish();
    move(part_of(ours).region(), result.region());
    turn.await_all();
    combine_two(turn, here, result);
  });
}

// How many a collective has. Shares are taken to be equal.
std::size_t turns(const Board& board, const Case& what) {
  const BoardUse use = board_use(what.operation);
  const std::size_t page = board.pages().page_bytes(), element = use.combines ? what.bytes / what.elements : 1;
  const std::size_t most = use.part_for_each ? Parts::most(board) : page / element * element;
  const std::size_t bytes = use.shares_out ? part_of(what.bytes, board.size()) : what.bytes;
  return (bytes + most - 1) / most;
}

}  // namespace paged

// Users' functions may call MPI.
bool suits(const Vector& vector) { return !vector.reduction().runs_user_code(); }

// Does one to which no rank brings more than so many bytes, if there is a way.
template <class InLine, class OnPages>
bool go(Boards& boards, objects::Comm& comm, Operation what, std::size_t bytes, InLine&& in_line,
        OnPages&& on_pages) {
  if (bytes <= Board::kMostBytes) [[likely]] {
    Board* const board = boards.of(comm);
    if (board) in_line(*board);
    return board != nullptr;
  }
  if (comm.size() > board_use(what).most_with_pages) return false;
  Board* const board = boards.with_pages(comm, bytes);
  if (board) on_pages(*board);
  return board != nullptr;
}

void nothing(Board&) {}

// Begins an exchange that does not block.
template <class Make>
bool begin(Boards& boards, objects::Comm& comm, std::size_t bytes, Deferred& later, Make&& exchange) {
  if (later.times != Deferred::Times::once || bytes > Board::kMostBytes) return false;
  ExchangeBoard* const board = boards.for_exchanges(comm);
  if (board) later.begun = boards.exchanges().start(*board, comm, exchange());
  return board != nullptr;
}

// Does one of up to so many bytes in lines, now or later, and a longer one on pages, now.
template <class Make, class OnPages>
bool exchange(Boards& boards, objects::Comm& comm, Operation what, std::size_t bytes, Deferred* later,
              Make&& exchange, OnPages&& on_pages) {
  if (later) [[unlikely]]
    return begin(boards, comm, bytes, *later, exchange);
  return go(
      boards, comm, what, bytes, [&](Board& board) { in_line::exchange(board, exchange()); }, on_pages);
}

}  // namespace

bool barrier(Boards& boards, objects::Comm& comm, Deferred* later) {
  return exchange(
      boards, comm, Operation::barrier, 0, later, [] { return BarrierExchange(); }, nothing);
}

bool bcast(Boards& boards, const Region& buffer, int root, objects::Comm& comm) {
  return go(
      boards, comm, Operation::bcast, buffer.bytes, [&](Board& board) { in_line::bcast(board, buffer, root); },
      [&](Board& board) { paged::bcast(board, buffer, root); });
}

bool reduce(Boards& boards, const std::optional<Vector>& mine, const Vector& result, int root, objects::Comm& comm) {
  const Vector& given = mine ? *mine : result;
  return suits(given) && go(
                             boards, comm, Operation::reduce, given.region().bytes,
                             [&](Board& board) { in_line::reduce(board, mine, result, root); },
                             [&](Board& board) { paged::reduce(board, mine, result, root); });
}

bool allreduce(Boards& boards, const std::optional<Vector>& mine, const Vector& result, objects::Comm& comm,
               Deferred* later) {
  return suits(result) && exchange(
                              boards, comm, Operation::allreduce, result.region().bytes, later,
                              [&] { return AllreduceExchange(mine, result); },
                              [&](Board& board) { paged::allreduce(board, mine, result); });
}

bool reduce_scatter(Boards& boards, const Vector& all, const Shares& shares, const Vector& share,
                    objects::Comm& comm, Deferred* later) {
  return !comm.is_inter() && suits(all) &&
         exchange(
             boards, comm, Operation::reduce_scatter, all.region().bytes, later,
             [&] { return ReduceScatterExchange(all, shares, share, comm.rank()); },
             [&](Board& board) { paged::reduce_scatter(board, all, shares, share); });
}

bool scan(Boards& boards, const std::optional<Vector>& mine, const Vector& result, objects::Comm& comm) {
  return suits(result) && go(
                              boards, comm, Operation::scan, result.region().bytes,
                              [&](Board& board) { in_line::scan(board, mine, result); }, nothing);
}

bool exscan(Boards& boards, const std::optional<Vector>& mine, const Vector& result, objects::Comm& comm) {
  return suits(result) && go(
                              boards, comm, Operation::exscan, result.region().bytes,
                              [&](Board& board) { in_line::exscan(board, mine, result); }, nothing);
}

// Between two groups, what a rank has does not say what others have.
bool gather(Boards& boards, const std::optional<Region>& mine, const Region& all, int root, objects::Comm& comm) {
  return !comm.is_inter() &&
         go(
             boards, comm, Operation::gather, comm.rank() == root ? part_of(all, comm.size()) : mine->bytes,
             [&](Board& board) { in_line::gather(board, mine, all, root); },
             [&](Board& board) { paged::gather(board, mine, all, root); });
}

bool scatter(Boards& boards, const Region& all, const std::optional<Region>& mine, int root, objects::Comm& comm) {
  return !comm.is_inter() &&
         go(
             boards, comm, Operation::scatter,
             comm.rank() == root ? all.bytes : mine->bytes * static_cast<std::size_t>(comm.size()),
             [&](Board& board) { in_line::scatter(board, all, mine, root); },
             [&](Board& board) { paged::scatter(board, all, mine, root); });
}

bool allgather(Boards& boards, const std::optional<Region>& mine, const Region& all, objects::Comm& comm,
               Deferred* later) {
  return exchange(
      boards, comm, Operation::allgather, part_of(all, comm.peers()), later,
      [&] { return AllgatherExchange(mine, all, comm.rank(), comm.size()); },
      [&](Board& board) { paged::allgather(board, mine, all); });
}

bool alltoall(Boards& boards, const std::optional<Region>& out, const Region& in, objects::Comm& comm,
              Deferred* later) {
  return exchange(
      boards, comm, Operation::alltoall, in.bytes, later, [&] { return AlltoallExchange(out, in); },
      [&](Board& board) { paged::alltoall(board, out, in); });
}

// In a line that says so, in as many turns as the others have.
bool take_part_without_data(Boards& boards, const Attempt& attempt, objects::Comm& comm, Deferred* later) {
  using Flow = BoardUse::Flow;
  const Case& what = attempt.what;
  const BoardUse use = board_use(what.operation);
  if (attempt.runs_user_code || use.flow == Flow::nowhere) return false;
  const std::size_t bytes = use.part_for_each ? what.bytes * static_cast<std::size_t>(comm.size()) : what.bytes;
  if (later)
    return use.flow == Flow::from_all_to_all && begin(boards, comm, bytes, *later, [] { return NoExchange(); });
  const Agreed agreed{what.operation, what.bytes, attempt.root};
  const bool writes = use.writes(comm.rank(), attempt.root);
  return go(
      boards, comm, what.operation, bytes,
      [&](Board& board) {
        Board::Turn turn(board, agreed, Board::Part::missing);
        if (!writes) return;
        (void)turn.room();
        turn.publish();
      },
      [&](Board& board) {
        if (what.operation == Operation::bcast) (void)paged::begin_bcast(board, {nullptr, what.bytes}, attempt.root);
        std::size_t turns = paged::turns(board, what);
        if (!writes) return board.skip(turns);
        for (; turns > 0; --turns) {
          Board::PageTurn turn(board, agreed, board.pages().page_bytes(), Board::Part::missing);
          turn.make_room();
          turn.publish();
        }
      });
}

}  // namespace antiphon::coll::on_board
