#include "engine/coll/boards/on_board.hpp"

#include "engine/coll/boards/in_lines.hpp"
#include "engine/coll/boards/on_pages.hpp"

namespace antiphon::coll::on_board {

namespace {

std::size_t part_of(const Region& blocks, int ranks) { return blocks.bytes / static_cast<std::size_t>(ranks); }

bool suits(const Vector& vector) { return !vector.reduction().runs_user_code(); }
// A user's function may call MPI, so it must run without the lane's lock. Only MPI_Reduce and MPI_Allreduce of two
// ranks on pages do that, and only if elements have no gaps. Two ranks have only one order, so the operation need not
// commute.
bool suits_users(Operation what, std::size_t bytes, bool in_one_piece, const objects::Comm& comm) {
  return (what == Operation::reduce || what == Operation::allreduce) && in_one_piece && comm.size() == 2 &&
         bytes > Board::kMostBytes;
}
bool suits(Operation what, const Vector& vector, const objects::Comm& comm) {
  return suits(vector) || suits_users(what, vector.region().bytes, vector.reduction().in_one_piece(), comm);
}

// Carries out a collective to which each rank brings at most `bytes` bytes, in lines or on pages. False if no board
// is used.
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

// Begins a nonblocking exchange.
template <class Make>
bool begin(Boards& boards, objects::Comm& comm, std::size_t bytes, Deferred& later, Make&& exchange) {
  if (later.times != Deferred::Times::once || bytes > Board::kMostBytes) return false;
  ExchangeBoard* const board = boards.for_exchanges(comm);
  if (board) later.begun = boards.exchanges().start(*board, comm, exchange());
  return board != nullptr;
}

// Carries out an exchange: short ones in lines, now or later, longer ones on pages, now.
template <class Make, class OnPages>
bool exchange(Boards& boards, objects::Comm& comm, Operation what, std::size_t bytes, Deferred* later,
              Make&& exchange, OnPages&& on_pages) {
  if (later) [[unlikely]]
    return begin(boards, comm, bytes, *later, exchange);
  return go(
      boards, comm, what, bytes, [&](Board& board) { in_lines::exchange(board, exchange()); }, on_pages);
}

}  // namespace

bool barrier(Boards& boards, objects::Comm& comm, Deferred* later) {
  return exchange(
      boards, comm, Operation::barrier, 0, later, [] { return BarrierExchange(); }, nothing);
}

bool bcast(Boards& boards, const Region& buffer, int root, objects::Comm& comm) {
  return go(
      boards, comm, Operation::bcast, buffer.bytes, [&](Board& board) { in_lines::bcast(board, buffer, root); },
      [&](Board& board) { on_pages::bcast(board, buffer, root); });
}

bool reduce(Boards& boards, const std::optional<Vector>& mine, const Vector& result, int root, objects::Comm& comm) {
  const Vector& given = mine ? *mine : result;
  return suits(Operation::reduce, given, comm) &&
         go(
             boards, comm, Operation::reduce, given.region().bytes,
             [&](Board& board) { in_lines::reduce(board, mine, result, root); },
             [&](Board& board) { on_pages::reduce(board, mine, result, root); });
}

bool allreduce(Boards& boards, const std::optional<Vector>& mine, const Vector& result, objects::Comm& comm,
               Deferred* later) {
  return (later ? suits(result) : suits(Operation::allreduce, result, comm)) &&
         exchange(
             boards, comm, Operation::allreduce, result.region().bytes, later,
             [&] { return AllreduceExchange(mine, result); },
             [&](Board& board) { on_pages::allreduce(board, mine, result); });
}

bool reduce_scatter(Boards& boards, const Vector& all, const Shares& shares, const Vector& share, objects::Comm& comm,
                    Deferred* later) {
  return !comm.is_inter() && suits(all) &&
         exchange(
             boards, comm, Operation::reduce_scatter, all.region().bytes, later,
             [&] { return ReduceScatterExchange(all, shares, share, comm.rank()); },
             [&](Board& board) { on_pages::reduce_scatter(board, all, shares, share); });
}

bool scan(Boards& boards, const std::optional<Vector>& mine, const Vector& result, objects::Comm& comm) {
  return suits(result) && go(
                              boards, comm, Operation::scan, result.region().bytes,
                              [&](Board& board) { in_lines::scan(board, mine, result); },
                              [&](Board& board) { on_pages::scan(board, mine, result); });
}

bool exscan(Boards& boards, const std::optional<Vector>& mine, const Vector& result, objects::Comm& comm) {
  return suits(result) && go(
                              boards, comm, Operation::exscan, result.region().bytes,
                              [&](Board& board) { in_lines::exscan(board, mine, result); },
                              [&](Board& board) { on_pages::exscan(board, mine, result); });
}

// On an intercommunicator, a rank's own arguments do not say how much data others have.
bool gather(Boards& boards, const std::optional<Region>& mine, const Region& all, int root, objects::Comm& comm) {
  return !comm.is_inter() &&
         go(
             boards, comm, Operation::gather, comm.rank() == root ? part_of(all, comm.size()) : mine->bytes,
             [&](Board& board) { in_lines::gather(board, mine, all, root); },
             [&](Board& board) { on_pages::gather(board, mine, all, root); });
}

bool scatter(Boards& boards, const Region& all, const std::optional<Region>& mine, int root, objects::Comm& comm) {
  return !comm.is_inter() &&
         go(
             boards, comm, Operation::scatter,
             comm.rank() == root ? all.bytes : mine->bytes * static_cast<std::size_t>(comm.size()),
             [&](Board& board) { in_lines::scatter(board, all, mine, root); },
             [&](Board& board) { on_pages::scatter(board, all, mine, root); });
}

bool allgather(Boards& boards, const std::optional<Region>& mine, const Region& all, objects::Comm& comm,
               Deferred* later) {
  return exchange(
      boards, comm, Operation::allgather, part_of(all, comm.peers()), later,
      [&] { return AllgatherExchange(mine, all, comm.rank(), comm.size()); },
      [&](Board& board) { on_pages::allgather(board, mine, all); });
}

bool alltoall(Boards& boards, const std::optional<Region>& out, const Region& in, objects::Comm& comm,
              Deferred* later) {
  return exchange(
      boards, comm, Operation::alltoall, in.bytes, later, [&] { return AlltoallExchange(out, in); },
      [&](Board& board) { on_pages::alltoall(board, out, in); });
}

// Publishes that this rank has no data, in as many turns as others have.
bool take_part_without_data(Boards& boards, const Attempt& attempt, objects::Comm& comm, Deferred* later) {
  using Flow = BoardUse::Flow;
  const Case& what = attempt.what;
  const BoardUse use = board_use(what.operation);
  if (use.flow == Flow::nowhere) return false;
  const std::size_t bytes = use.part_for_each ? what.bytes * static_cast<std::size_t>(comm.size()) : what.bytes;
  if (attempt.runs_user_code && (later || !suits_users(what.operation, bytes, attempt.in_one_piece, comm)))
    return false;
  if (later)
    return use.flow == Flow::from_all_to_all && begin(boards, comm, bytes, *later, [] { return NoExchange(); });
  const Agreed agreed{what.operation, bytes, attempt.root};
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
        std::size_t turns = on_pages::turns(board, what);
        if (!writes) return board.skip(turns);
        for (; turns > 0; --turns) {
          Board::PageTurn turn(board, agreed, board.part_bytes(what.operation), Board::Part::missing);
          turn.make_room();
          turn.publish();
        }
      });
}

}  // namespace antiphon::coll::on_board
