#include "engine/coll/boards/on_board.hpp"

#include <algorithm>
#include <exception>

#include "engine/coll/boards/exchange.hpp"
#include "engine/coll/boards/orders.hpp"
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

// Of two, each combines all.
void allreduce_of_two(Board& board, const std::optional<Vector>& mine, const Vector& result) {
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

namespace {

// Who combines which elements of so many: rank 0 all, if they are few; else each rank some.
class Slices {
 public:
  Slices(const Vector& part, int ranks) : elements_(part.elements()), each_(elements_) {
    const auto extent = static_cast<std::size_t>(part.reduction().extent());
    if (elements_ * extent < kLeastToShare) return;
    const auto number = static_cast<std::size_t>(ranks);
    each_ = std::max<std::size_t>(base::whole_lines((elements_ + number - 1) / number * extent) / extent, 1);
  }

  [[nodiscard]] std::size_t begin(int rank) const {
    return std::min(static_cast<std::size_t>(rank) * each_, elements_);
  }
  [[nodiscard]] std::size_t length(int rank) const { return begin(rank + 1) - begin(rank); }

 private:
  static constexpr std::size_t kLeastToShare = 8192;  // bytes

  std::size_t elements_, each_;
};

}  // namespace

// Of more, each combines a slice of what all have brought, where it lies, in the page of rank 0. In the next turn,
// to which the next part is brought, they say that they have done so, and all take the whole from there. A rank that
// finds another's part missing says that then, too.
void allreduce_of_many(Board& board, const std::optional<Vector>& mine, const Vector& result) {
  const Vector& given = mine ? *mine : result;
  const Reduction& reduction = given.reduction();
  const Agreed agreed{Operation::allreduce, given.region().bytes, 0, reduction.op()};
  const int here = board.rank(), ranks = board.size();
  const auto part_of = [](const Vector& whole, std::size_t first, std::size_t number) {
    return whole.part(std::min(first, whole.elements()), std::min(first + number, whole.elements()));
  };
  struct Before {
    Vector result;
    const std::byte* combined;
  } before{result.part(0, 0), nullptr};
  std::exception_ptr failure;
  const std::size_t most = board.pages().page_bytes() / static_cast<std::size_t>(reduction.extent());
  in_parts(board, given.elements() + most, most, [&](std::size_t first, std::size_t number) {
    using enum Board::Part;
    const Vector part = part_of(given, first, number);
    const std::size_t bytes = part.region().bytes;
    Board::PageTurn turn(board, agreed, bytes, failure ? missing : present);
    turn.make_room(1);
    turn.write(part.region(), 0, bytes);
    turn.publish();
    if (failure) std::rethrow_exception(failure);

    const Slices theirs(before.result, ranks), slices(part, ranks);
    for (int rank = 0; rank < ranks; ++rank)
      if (theirs.length(rank) != 0) turn.await(rank);
    base::copy_bytes(before.result.first(), before.combined, before.result.region().bytes);
    if (bytes == 0) return;
    before = {part_of(result, first, number), turn.page(0)};
    if (slices.length(here) == 0) return;
    try {
      turn.await_all();
      const std::size_t begin = slices.begin(here) * static_cast<std::size_t>(reduction.extent());
      combine_all(ranks, [&](int left, int right, Reduction::Into into) {
        reduction(turn.page(left) + begin, turn.page(right) + begin, slices.length(here), into);
      });
    } catch (...) {
      failure = std::current_exception();
    }
  });
}

void allreduce(Board& board, const std::optional<Vector>& mine, const Vector& result) {
  board.size() == 2 ? allreduce_of_two(board, mine, result) : allreduce_of_many(board, mine, result);
}

// How many elements of each share go on a page.
std::size_t most_of_shares(const Board& board, std::size_t extent) {
  const std::size_t shares = board.size() == 2 ? 1 : static_cast<std::size_t>(board.size());
  return board.pages().page_bytes() / shares / base::kCacheLine * base::kCacheLine / extent;
}

// Each writes what the others are to have. A share may lie within the vector, but not behind where it is brought.
void reduce_scatter(Board& board, const Vector& all, const Shares& shares, const Vector& share) {
  const Reduction& reduction = all.reduction();
  const int here = board.rank(), ranks = board.size();
  const bool of_two = ranks == 2;
  const auto extent = static_cast<std::size_t>(reduction.extent());
  std::size_t longest = 0;
  for (int rank = 0; rank < ranks; ++rank) longest = std::max(longest, shares.start(rank + 1) - shares.start(rank));
  in_parts(board, longest, most_of_shares(board, extent), [&](std::size_t first, std::size_t number) {
    const auto part_of = [&](const Vector& whole) {
      return whole.part(std::min(first, whole.elements()), std::min(first + number, whole.elements()));
    };
    const auto part_for = [&](int rank) { return part_of(shares.of(all, rank, rank + 1)).region(); };
    const Vector result = part_of(share);
    const std::size_t each = base::whole_lines(number * extent);
    Board::PageTurn turn(board, {Operation::reduce_scatter, all.region().bytes, 0, reduction.op()},
                         of_two ? each : each * static_cast<std::size_t>(ranks));
    turn.make_room();
    if (of_two) {
      turn.write(part_for(1 - here), 0, part_for(1 - here).bytes);
      turn.publish();
      move(part_for(here), result.region());
      turn.await_all();
      return combine_two(turn, here, result);
    }
    const auto at = [&](int rank) { return each * static_cast<std::size_t>(rank); };
    for (int rank = 0; rank < ranks; ++rank) turn.write(part_for(rank), 0, part_for(rank).bytes, at(rank));
    turn.publish();
    turn.await_all();
    combine_to(0, ranks, [&](int left, int right, Reduction::Into into) {
      reduction(turn.page(left) + at(here), turn.page(right) + at(here), result.elements(), into);
    });
    base::copy_bytes(result.first(), turn.page(0) + at(here), result.region().bytes);
  });
}

// How many a collective has. Shares are taken to be equal.
std::size_t turns(const Board& board, const Case& what) {
  const BoardUse use = board_use(what.operation);
  const std::size_t page = board.pages().page_bytes(), element = use.combines ? what.bytes / what.elements : 1;
  const auto so_many = [](std::size_t units, std::size_t most) { return (units + most - 1) / most; };
  if (use.part_for_each) return so_many(what.bytes, Parts::most(board));
  if (use.shares_out) return so_many(part_of(what.elements, board.size()), most_of_shares(board, element));
  const bool says_what_is_combined = what.operation == Operation::allreduce && board.size() > 2;
  return so_many(what.bytes / element, page / element) + (says_what_is_combined ? 1 : 0);
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
  Board* const board = boards.with_pages(comm, bytes, board_use(what));
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

bool reduce_scatter(Boards& boards, const Vector& all, const Shares& shares, const Vector& share, objects::Comm& comm,
                    Deferred* later) {
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
