// Reductions on pages. A rank that needs the result combines the pages of others into it. In an allreduce or
// reduce-scatter of more than two ranks, each rank combines one slice of the vector in the pages themselves, with the
// result in the page of rank 0.
#include <exception>

#include "engine/coll/boards/on_pages.hpp"
#include "engine/coll/boards/orders.hpp"
#include "engine/coll/boards/parts.hpp"
#include "engine/coll/steps.hpp"

namespace antiphon::coll::on_pages {

namespace {

std::size_t extent_of(const Vector& vector) { return static_cast<std::size_t>(vector.reduction().extent()); }

// `number` elements from `first` on, or as many of them as there are.
Vector part_of(const Vector& whole, std::size_t first, std::size_t number) {
  return whole.part(std::min(first, whole.elements()), std::min(first + number, whole.elements()));
}

// The regions may overlap.
void move(const Region& from, const Region& to) {
  const bool are_apart = to.at + to.bytes <= from.at || from.at + from.bytes <= to.at;
  are_apart ? copy(from, to) : static_cast<void>(std::memmove(to.at, from.at, from.bytes));
}

// result := (vector of rank 0) op (vector of rank 1). The other rank's vector is on its page, this rank's in
// `result`.
void combine_two(Board& board, Board::PageTurn& turn, const Vector& result) {
  const bool is_left = board.rank() == 0;
  const auto combine = [&](const std::byte* page) {
    const Vector theirs(page, result.elements(), result.reduction());
    if (is_left)
      reduce_now(board.comm(), board.progress(), result, theirs, Reduction::Into::left);
    else
      reduce_now(board.comm(), board.progress(), theirs, result, Reduction::Into::right);
  };
  const int other = 1 - board.rank();
  const std::size_t bytes = result.region().bytes;
  result.reduction().runs_user_code() ? combine(turn.fetched_page(other, bytes)) : turn.read(other, bytes, combine);
}

// result := the combined vectors of all ranks. The root's is in `result`, those of others are on their pages.
void combine_at_root(Board::PageTurn& turn, int root, int ranks, const Vector& result) {
  const Reduction& reduction = result.reduction();
  const auto at = [&](int rank) { return rank == root ? result.first() : turn.page(rank); };
  combine_to(root, ranks, [&](int left, int right, Reduction::Into into) {
    reduction(at(left), at(right), result.elements(), into);
  });
}

// Calls take(first, number) for each part of the vector's elements.
template <class Take>
void in_parts(Board& board, Operation what, const Vector& vector, Take&& take) {
  in_parts(board, vector.elements(), board.part_bytes(what) / extent_of(vector), take);
}

// Which elements of a part each rank combines. If they are few, rank 0 combines all, so that the others need their
// core once less; else each rank combines an equal slice.
class Slices {
 public:
  Slices(const Vector& part, int ranks) : elements_(part.elements()), each_(elements_) {
    const std::size_t extent = extent_of(part);
    if (elements_ * extent < kLeastToShare) return;
    const std::size_t equal = elements_ / static_cast<std::size_t>(ranks) + 1;
    each_ = base::whole_lines(equal * extent) / extent;
  }

  [[nodiscard]] std::size_t begin(int rank) const {
    return std::min(static_cast<std::size_t>(rank) * each_, elements_);
  }
  [[nodiscard]] std::size_t length(int rank) const { return begin(rank + 1) - begin(rank); }

 private:
  static constexpr std::size_t kLeastToShare = 8192;  // bytes

  std::size_t elements_, each_;
};

void allreduce_of_two(Board& board, const std::optional<Vector>& mine, const Vector& result) {
  const Vector& given = mine ? *mine : result;
  const Agreed agreed{Operation::allreduce, given.region().bytes, 0, given.reduction().op()};
  std::optional<base::Error> failure;  // of the user's function; then the next part is declared missing
  in_parts(board, agreed.what, given, [&](std::size_t first, std::size_t number) {
    using enum Board::Part;
    const Region part = part_of(given, first, number).region();
    const Vector to = part_of(result, first, number);
    Board::PageTurn turn(board, agreed, part.bytes, failure ? missing : present);
    turn.make_room();
    turn.write(part, 0, part.bytes);
    turn.publish();
    if (failure) throw std::move(*failure);
    if (mine) copy(part, to.region());
    turn.await_all();
    try {
      combine_two(board, turn, to);
    } catch (base::Error& thrown) {
      failure = std::move(thrown);
    }
  });
  if (failure) throw std::move(*failure);
}

// Rank 0 writes its vector, and rank 1 calls take(turn, first, number) for the elements of each part.
template <class Take>
void upwards(Board& board, Operation what, const Vector& given, Take&& take) {
  const Agreed agreed{what, given.region().bytes, 0, given.reduction().op()};
  in_parts(board, what, given, [&](std::size_t first, std::size_t number) {
    const Region part = part_of(given, first, number).region();
    Board::PageTurn turn(board, agreed, part.bytes);
    if (board.rank() != 0) return take(turn, first, number);
    turn.make_room();
    turn.write(part, 0, part.bytes);
    turn.publish();
  });
}

// Each turn serves two parts. A rank writes its data of the next part; by publishing it, it says that it has combined
// its slice of the part of the turn before, and all ranks then copy the result of that part from the page of rank 0.
// A rank that finds that another's part is missing declares its own next part missing, so all ranks learn of it.
void allreduce_of_many(Board& board, const std::optional<Vector>& mine, const Vector& result) {
  const Vector& given = mine ? *mine : result;
  const Reduction& reduction = given.reduction();
  const Agreed agreed{Operation::allreduce, given.region().bytes, 0, reduction.op()};
  const int here = board.rank(), ranks = board.size();
  const std::size_t most = board.part_bytes(agreed.what) / extent_of(given);
  Vector before = result.part(0, 0);  // the elements of `result` whose data was written in the turn before
  std::exception_ptr failure;
  in_parts(board, given.elements() + most, most, [&](std::size_t first, std::size_t number) {
    using enum Board::Part;
    const Region part = part_of(given, first, number).region();
    Board::PageTurn turn(board, agreed, part.bytes, failure ? missing : present);
    turn.make_room(1);
    turn.write(part, 0, part.bytes);
    turn.publish();
    if (failure) std::rethrow_exception(failure);

    if (before.elements() != 0) {
      const Slices combined(before, ranks);
      for (int rank = 0; rank < ranks; ++rank)
        if (combined.length(rank) != 0) turn.await(rank);
      base::copy_bytes(before.first(), turn.page_before(0), before.region().bytes);
    }
    before = part_of(result, first, number);
    const Slices slices(before, ranks);
    if (slices.length(here) != 0) try {
        turn.await_all();
        const std::size_t begin = slices.begin(here) * extent_of(given);
        combine_all(ranks, [&](int left, int right, Reduction::Into into) {
          reduction(turn.page(left) + begin, turn.page(right) + begin, slices.length(here), into);
        });
      } catch (...) {
        failure = std::current_exception();
      }
  });
}

// How many elements of each rank's share go on a page.
std::size_t most_of_shares(const Board& board, std::size_t extent) {
  const std::size_t shares = board.size() == 2 ? 1 : static_cast<std::size_t>(board.size());
  return board.part_bytes(Operation::reduce_scatter) / shares / base::kCacheLine * base::kCacheLine / extent;
}

std::size_t longest(const Shares& shares, int ranks) {
  std::size_t most = 0;
  for (int rank = 0; rank < ranks; ++rank) most = std::max(most, shares.start(rank + 1) - shares.start(rank));
  return most;
}

// Each rank writes the share of the other.
void reduce_scatter_of_two(Board& board, const Vector& all, const Shares& shares, const Vector& share) {
  const int here = board.rank(), there = 1 - here;
  const Vector ours = shares.of(all, here, here + 1), theirs = shares.of(all, there, there + 1);
  const Agreed agreed{Operation::reduce_scatter, all.region().bytes, 0, all.reduction().op()};
  in_parts(board, longest(shares, 2), most_of_shares(board, extent_of(all)),
           [&](std::size_t first, std::size_t number) {
             const Region given = part_of(theirs, first, number).region();
             const Vector result = part_of(share, first, number);
             Board::PageTurn turn(board, agreed, given.bytes);
             turn.make_room();
             turn.write(given, 0, given.bytes);
             turn.publish();
             move(part_of(ours, first, number).region(), result.region());
             turn.await_all();
             combine_two(board, turn, result);
           });
}

void reduce_scatter_of_many(Board& board, const Vector& all, const Shares& shares, const Vector& share) {
  const Reduction& reduction = all.reduction();
  const int here = board.rank(), ranks = board.size();
  const Agreed agreed{Operation::reduce_scatter, all.region().bytes, 0, reduction.op()};
  in_parts(board, longest(shares, ranks), most_of_shares(board, extent_of(all)),
           [&](std::size_t first, std::size_t number) {
             const std::size_t each = base::whole_lines(number * extent_of(all));
             const auto begin = [&](int rank) { return each * static_cast<std::size_t>(rank); };
             Board::PageTurn turn(board, agreed, begin(ranks));
             turn.make_room();
             for (int rank = 0; rank < ranks; ++rank) {
               const Region given = part_of(shares.of(all, rank, rank + 1), first, number).region();
               turn.write(given, 0, given.bytes, begin(rank));
             }
             turn.publish();
             turn.await_all();
             const Vector result = part_of(share, first, number);
             combine_to(0, ranks, [&](int left, int right, Reduction::Into into) {
               reduction(turn.page(left) + begin(here), turn.page(right) + begin(here), result.elements(), into);
             });
             base::copy_bytes(result.first(), turn.page(0) + begin(here), result.region().bytes);
           });
}

}  // namespace

void reduce(Board& board, const std::optional<Vector>& mine, const Vector& result, int root) {
  const Vector& given = mine ? *mine : result;
  const Agreed agreed{Operation::reduce, given.region().bytes, root, given.reduction().op()};
  in_parts(board, agreed.what, given, [&](std::size_t first, std::size_t number) {
    const Region part = part_of(given, first, number).region();
    Board::PageTurn turn(board, agreed, part.bytes);
    if (board.rank() != root) {
      turn.make_room();
      turn.write(part, 0, part.bytes);
      return turn.publish();
    }
    const Vector to = part_of(result, first, number);
    if (mine) copy(part, to.region());
    board.size() == 2 ? combine_two(board, turn, to) : combine_at_root(turn, root, board.size(), to);
  });
}

void allreduce(Board& board, const std::optional<Vector>& mine, const Vector& result) {
  board.size() == 2 ? allreduce_of_two(board, mine, result) : allreduce_of_many(board, mine, result);
}

void scan(Board& board, const std::optional<Vector>& mine, const Vector& result) {
  upwards(board, Operation::scan, mine ? *mine : result,
          [&](Board::PageTurn& turn, std::size_t first, std::size_t number) {
            const Vector to = part_of(result, first, number);
            if (mine) copy(part_of(*mine, first, number).region(), to.region());
            combine_two(board, turn, to);
          });
  if (mine && board.rank() == 0) copy(mine->region(), result.region());
}

void exscan(Board& board, const std::optional<Vector>& mine, const Vector& result) {
  const Vector& given = mine ? *mine : result;
  upwards(board, Operation::exscan, given, [&](Board::PageTurn& turn, std::size_t first, std::size_t number) {
    const Region to = part_of(result, first, number).region();
    turn.read(0, to.bytes, [&](const std::byte* page) { base::copy_bytes(to.at, page, to.bytes); });
  });
}

// `share` may overlap `all`, but must not begin behind this rank's share in it.
void reduce_scatter(Board& board, const Vector& all, const Shares& shares, const Vector& share) {
  board.size() == 2 ? reduce_scatter_of_two(board, all, shares, share)
                    : reduce_scatter_of_many(board, all, shares, share);
}

std::size_t turns(const Board& board, const Case& what) {
  const BoardUse use = board_use(what.operation);
  const std::size_t part = board.part_bytes(what.operation), element = use.combines ? what.bytes / what.elements : 1;
  const auto so_many = [](std::size_t units, std::size_t most) { return (units + most - 1) / most; };
  if (use.part_for_each) return so_many(what.bytes, Parts::most(board, what.operation));
  if (use.shares_out)
    return so_many(what.elements / static_cast<std::size_t>(board.size()), most_of_shares(board, element));
  const bool says_what_is_combined = what.operation == Operation::allreduce && board.size() > 2;
  return so_many(what.bytes / element, part / element) + (says_what_is_combined ? 1 : 0);
}

}  // namespace antiphon::coll::on_pages
