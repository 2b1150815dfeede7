// A board (engine/coll/boards/board.hpp) among ranks that are threads: what a rank reads in a line, or on a page, is
// what the other brought to this collective, however far some are ahead.
#include "engine/coll/boards/board.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

#include "base/rng.hpp"
#include "engine/coll/boards/on_pages.hpp"
#include "progress/parking.hpp"
#include "rank_threads.hpp"
#include "watchdog.hpp"

namespace antiphon::contract {
namespace {

using coll::Agreed;
using coll::Board;
using coll::BoardMemory;
using coll::BoardPages;
using coll::Operation;

// Whoever would sleep gives its core away instead.
class Yielding final : public progress::Parking {
 public:
  int spin_looks() const noexcept override { return 0; }
  bool breathe(int, Others) noexcept override { return true; }
  bool crowded() const noexcept override { return true; }
  Ticket announce(const progress::WaitReason&) noexcept override { return 0; }
  bool park(Ticket, Patience) noexcept override {
    sched_yield();
    return true;
  }
  void retract() noexcept override {}
  void wake_own_threads() noexcept override {}
};

class Nobody final : public Board::Owner {
 public:
  void left(const BoardMemory&, const BoardPages&, int) noexcept override {}
};

struct Memory {
  explicit Memory(int ranks)
      : board(BoardMemory::bytes(ranks)), exchanges(BoardMemory::bytes(ranks)), pages(BoardPages::bytes(ranks)) {}
  SharedMemory board, exchanges, pages;
};

// Every byte tells who wrote it in which round.
std::vector<std::byte> content(int rank, std::uint64_t round, std::size_t bytes) {
  std::vector<std::byte> made(bytes);
  for (std::size_t i = 0; i < bytes; ++i)
    made[i] = static_cast<std::byte>(static_cast<unsigned>(rank) * 31 + round * 7 + i);
  return made;
}

// Whom sums are for.
enum class For : std::uint8_t { all, each, root };

class Rank {
 public:
  Rank(const Memory& memory, int ranks, int rank, const Board::Giving& giving)
      : comm_(everybody(ranks, rank)),
        board_({memory.board.start(), ranks}, {memory.exchanges.start(), ranks}, *comm_,
               coll::BoardPeers(static_cast<std::size_t>(ranks), &near_), progress_, giving, owner_) {
    board_.set_pages(BoardPages(memory.pages.start(), ranks));
  }

  void in_line(const Agreed& what, std::uint64_t round) {
    const std::vector<std::byte> mine = content(board_.rank(), round, what.bytes);
    Board::Turn turn(board_, what);
    if (writes(what)) {
      std::ranges::copy(mine, turn.room());
      turn.publish();
    }
    if (from_all(what)) turn.await_all();
    for (const int rank : read_by_me(what))
      EXPECT_EQ(std::memcmp(turn.of(rank), content(rank, round, what.bytes).data(), what.bytes), 0);
  }
  void on_page(const Agreed& what, std::uint64_t round) {
    const std::vector<std::byte> mine = content(board_.rank(), round, what.bytes);
    Board::PageTurn turn(board_, what, what.bytes);
    if (writes(what)) {
      turn.make_room();
      turn.write({mine.data(), mine.size()}, 0, mine.size());
      turn.publish();
    }
    if (from_all(what)) turn.await_all();
    for (const int rank : read_by_me(what))
      turn.read(rank, what.bytes, [&](const std::byte* page) {
        EXPECT_EQ(std::memcmp(page, content(rank, round, what.bytes).data(), what.bytes), 0);
      });
  }
  // Sums of so many numbers, a share of them for each, or all of them. The root changes now and then.
  void add(std::size_t numbers, For whom, std::uint64_t round) {
    const auto ranks = static_cast<std::size_t>(board_.size());
    const int root = static_cast<int>(round / 50 % ranks);
    const std::size_t share = numbers / ranks;
    const std::size_t first = whom == For::each ? share * static_cast<std::size_t>(board_.rank()) : 0;
    const auto number = [&](std::size_t rank, std::size_t i) {
      return static_cast<std::int32_t>(rank * 31 + round * 7 + i);
    };
    std::vector<std::int32_t> mine(whom == For::each ? share * ranks : numbers);
    std::vector<std::int32_t> sum(whom == For::each ? share : numbers);
    for (std::size_t i = 0; i < mine.size(); ++i) mine[i] = number(static_cast<std::size_t>(board_.rank()), i);
    const auto adding = coll::Reduction::of(objects::Op::Kind::sum, objects::Element::int32, 4);
    const coll::Vector given(mine.data(), mine.size(), adding), result(sum.data(), sum.size(), adding);
    switch (whom) {
      case For::all:
        coll::on_pages::allreduce(board_, given, result);
        break;
      case For::each:
        coll::on_pages::reduce_scatter(board_, given, coll::Shares(share), result);
        break;
      case For::root:
        coll::on_pages::reduce(board_, given, result, root);
        if (board_.rank() != root) return;
    }
    for (std::size_t i = 0; i < sum.size(); ++i) {
      std::int32_t expected = 0;
      for (std::size_t rank = 0; rank < ranks; ++rank) expected += number(rank, first + i);
      ASSERT_EQ(sum[i], expected) << "element " << i << " of round " << round;
    }
  }
  [[nodiscard]] std::size_t page_bytes() const { return board_.pages().page_bytes(); }

 private:
  [[nodiscard]] bool writes(const Agreed& what) const {
    return coll::board_use(what.what).writes(board_.rank(), what.root);
  }
  static bool from_all(const Agreed& what) {
    return coll::board_use(what.what).flow == coll::BoardUse::Flow::from_all_to_all;
  }
  [[nodiscard]] std::vector<int> read_by_me(const Agreed& what) const {
    const coll::BoardUse use = coll::board_use(what.what);
    const int reader = use.reader(what.root);
    std::vector<int> ranks;
    for (int rank = 0; rank < board_.size(); ++rank)
      if (rank != board_.rank() && use.writes(rank, what.root) &&
          (reader == BoardUse::kEverybody || reader == board_.rank()))
        ranks.push_back(rank);
    return ranks;
  }
  using BoardUse = coll::BoardUse;

  objects::Ref<objects::Comm> comm_;
  Yielding parking_;
  progress::Lane lane_{false};
  transport::Dispatcher nothing_;
  progress::Progress progress_{nothing_, parking_, lane_};
  Nobody owner_;
  OneMemory near_;
  Board board_;
};

// Collectives that all ranks draw alike. Kind and root stay for a while, so that some run as far ahead as they may.
class Program {
 public:
  Program(std::uint64_t seed, int ranks) : rng_(seed), ranks_(ranks) {}
  [[nodiscard]] Agreed next(std::size_t most) {
    constexpr Operation kKinds[] = {Operation::allgather, Operation::bcast, Operation::gather};
    if (left_ == 0) {
      left_ = 1 + rng_.below(150);
      what_ = kKinds[rng_.below(std::size(kKinds))];
      root_ = what_ == Operation::allgather ? 0 : rng_.below(ranks_);
    }
    --left_;
    return {what_, 1 + rng_.below(most), root_};
  }
  [[nodiscard]] std::size_t up_to(std::size_t most) { return rng_.below(most + 1); }
  [[nodiscard]] bool one_of_three() { return rng_.below(3) == 0; }
  [[nodiscard]] For whom() { return static_cast<For>(rng_.below(3)); }

 private:
  base::Rng rng_;
  int ranks_;
  int left_ = 0, root_ = 0;
  Operation what_ = Operation::none;
};

class Boards : public testing::TestWithParam<int> {
 protected:
  // round(rank, program, its number) in so many rounds, on each of the ranks.
  template <class Round>
  void run(std::uint64_t rounds, std::optional<coll::Written> written, std::uint64_t seed, Round round) {
    const Memory memory(GetParam());
    std::atomic<std::uint64_t> done = 0;
    const Watchdog watchdog("ranks that share a board", done);
    as_ranks(GetParam(), [&](int number) {
      Program program(seed, GetParam());
      const pt2pt::Clock clock = [now = std::uint64_t{0}]() mutable { return now += 100; };
      Rank rank(memory, GetParam(), number, {written, clock});
      for (std::uint64_t at = 1; at <= rounds; ++at) {
        round(rank, program, at);
        if (number == 0) done = at;
      }
    });
  }
};
INSTANTIATE_TEST_SUITE_P(Of, Boards, testing::Values(2, 3, 5), testing::PrintToStringParamName());

TEST_P(Boards, ShowWhatOthersBringInLines) {
  run(2'000, coll::Written::as_ever, 1, [](Rank& rank, Program& program, std::uint64_t round) {
    rank.in_line(program.next(Board::kMostBytes), round);
  });
}

// Beside lines. So whoever runs ahead has some of its entries in one line of the cache with some that are being read.
TEST_P(Boards, ShowWhatOthersBringInEntries) {
  run(2'000, {}, 4, [](Rank& rank, Program& program, std::uint64_t round) {
    rank.in_line(program.next(program.one_of_three() ? Board::kMostBytes : coll::BoardEntry::kBytes), round);
  });
}

// Beside lines.
TEST_P(Boards, ShowWhatOthersBringOnPages) {
  run(1'000, {}, 2, [](Rank& rank, Program& program, std::uint64_t round) {
    if (program.one_of_three())
      rank.in_line(program.next(Board::kMostBytes), round);
    else
      rank.on_page(program.next(rank.page_bytes()), round);
  });
}

// Beside others. Of one part, of several, and of so many that they go around a rank's memory.
TEST_P(Boards, CombineOnPagesWhatAllBring) {
  run(400, {}, 3, [](Rank& rank, Program& program, std::uint64_t round) {
    if (program.one_of_three()) return rank.on_page(program.next(rank.page_bytes()), round);
    const std::size_t pages = !program.one_of_three() ? 1 : program.one_of_three() ? 40 : 3;
    rank.add(1 + program.up_to(pages * rank.page_bytes() / sizeof(std::int32_t)), program.whom(), round);
  });
}

}  // namespace
}  // namespace antiphon::contract
