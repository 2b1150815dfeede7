#include "engine/coll/boards/board.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "abi/constants.hpp"
#include "base/error.hpp"
#include "engine/coll/steps.hpp"

namespace antiphon::coll {

namespace {

constexpr int kEagerLooks = 50;

constexpr std::uint64_t bit_of(int rank) { return std::uint64_t{1} << rank; }

constexpr const char* kNames[] = {"MPI_Barrier", "MPI_Bcast",     "MPI_Reduce",   "MPI_Allreduce", "MPI_Gather",
                                  "MPI_Scatter", "MPI_Allgather", "MPI_Alltoall", "MPI_Scan",      "MPI_Exscan"};

// What ranks have to agree on, from a title.
std::size_t bits(std::int64_t title, int first, int number) {
  return static_cast<std::size_t>(title >> first & ((std::int64_t{1} << number) - 1));
}
const char* name(std::int64_t title) { return kNames[bits(title, 12, 4)]; }
std::string describe(std::int64_t title) {
  const std::size_t bytes = bits(title, 6, 6);
  return fmt::format("{} of {} bytes with root {}", name(title),
                     bytes > Board::kMostBytes ? "many" : fmt::format("{}", bytes), bits(title, 0, 6));
}

}  // namespace

std::uint64_t Board::Awaited::packed() const {
  return static_cast<std::uint64_t>(number) << 17 | static_cast<std::uint64_t>(deed) << 16 |
         static_cast<std::uint64_t>(first) << 8 | static_cast<std::uint64_t>(end);
}

Board::Awaited Board::Awaited::unpacked(std::uint64_t from) {
  return {static_cast<Deed>(from >> 16 & 1), static_cast<int>(from >> 8 & 0xff), static_cast<int>(from & 0xff),
          static_cast<std::int64_t>(from >> 17)};
}

// While it lives, this rank may have its bit among the sleepers'.
class Board::Sleep {
 public:
  explicit Sleep(const BoardMemory& memory, int rank) : memory_(memory), rank_(rank) {}
  ~Sleep() {
    if (announced_) memory_.sleepers().fetch_and(~bit_of(rank_), std::memory_order_relaxed);
  }
  Sleep(const Sleep&) = delete;
  Sleep& operator=(const Sleep&) = delete;

  void announce(const Awaited& awaited) {
    memory_.seat(rank_).awaited.store(awaited.packed(), std::memory_order_relaxed);
    memory_.sleepers().fetch_or(bit_of(rank_), std::memory_order_seq_cst);
    announced_ = true;
  }

 private:
  const BoardMemory& memory_;
  int rank_;
  bool announced_ = false;
};

Board::Board(const BoardMemory& memory, objects::Comm& comm, Peers peers, progress::Progress& progress, Owner& owner)
    : memory_(memory),
      comm_(comm),
      rank_(comm.rank()),
      progress_(progress),
      peers_(std::move(peers)),
      owner_(owner),
      finished_(static_cast<std::size_t>(memory.ranks())) {
  readers_.fill(kEverybody);
}

Board::~Board() { owner_.left(memory_, pages_, rank_); }

bool Board::is_done(Deed deed, int rank, std::int64_t number) const {
  if (deed == Deed::finishes) return memory_.seat(rank).finished.load(std::memory_order_acquire) >= number;
  return memory_.lines(number)[rank * BoardMemory::kLines].title.load(std::memory_order_acquire) >>
         Turn::kTitleBits >= number;
}

bool Board::has_come(const Turn& turn, int rank) {
  const std::int64_t title = turn.line(rank).title.load(std::memory_order_acquire);
  if (title == turn.title_) return true;
  if (title >> Turn::kTitleBits >= turn.number_) [[unlikely]]
    fail(turn, rank, title);
  return false;
}

// `awaited` changes as ranks do what they are waited for. At first nothing else is looked at: what is on its way from
// another core takes no longer.
template <class Done>
void Board::wait(Done&& done, const Awaited& awaited) {
  for (int look = 0; look < kEagerLooks; ++look)
    if (done()) return;
  Sleep sleep(memory_, rank_);
  progress_.wait(done, [&] {
    sleep.announce(awaited);
    return progress::WaitReason{.communicator = comm_.name().c_str(), .peer = comm_.world_rank(awaited.first)};
  });
}

void Board::await(const Turn& turn, int first, int end) {
  Awaited awaited{Deed::comes, first, end, turn.number_};
  wait(
      [&] {
        while (awaited.first < end && has_come(turn, awaited.first)) ++awaited.first;
        return awaited.first == end;
      },
      awaited);
}

// Of this rank's line that collective `number` is to have. Who has to wait waits until half of the lines are free, so
// that this rank, and those who read, do more at a turn.
void Board::await_readers_of_line(std::int64_t number) {
  const std::int64_t before = number - BoardMemory::kLines;
  await_reader(readers_[BoardMemory::index(number)], before, before + BoardMemory::kLines / 2);
}

void Board::await_readers_of_page(std::int64_t number) {
  const PageUse& use = page_uses_[pages_.index(number)];
  await_reader(use.reader, use.number, use.number);
}

// Until one, or all, have finished a collective. If not all have, until they have finished a `better` one.
void Board::await_reader(int reader, std::int64_t number, std::int64_t better) {
  const bool one = reader != kEverybody;
  const int first = one ? reader : 0, end = one ? reader + 1 : size();
  Awaited awaited{Deed::finishes, first, end, number};
  const auto have_read = [&] {
    for (; awaited.first < end; ++awaited.first) {
      std::int64_t& known = finished_[static_cast<std::size_t>(awaited.first)];
      if (awaited.first == rank_ || known >= awaited.number) continue;
      known = memory_.seat(awaited.first).finished.load(std::memory_order_acquire);
      if (known < awaited.number) return false;
    }
    return true;
  };
  if (!have_read()) {
    awaited.first = first;
    awaited.number = better;
    wait(have_read, awaited);
  }
  if (one) return;
  finished_[static_cast<std::size_t>(rank_)] = BoardSeat::kLeft;
  all_finished_ = std::ranges::min(finished_);
}

// Two who publish at the same time each may find that the other has not: not after this fence. Who has what it sleeps
// for is rung for once. Meanwhile it may have woken by itself, and sleep for something else: then it has seen what
// this rank has published, and is left alone.
void Board::ring_for_sleepers() noexcept {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  std::uint64_t others = memory_.sleepers().load(std::memory_order_acquire) & ~bit_of(rank_);
  for (; others != 0; others &= others - 1) {
    const int sleeper = std::countr_zero(others);
    std::atomic<std::uint64_t>& awaited = memory_.seat(sleeper).awaited;
    std::uint64_t found = awaited.load(std::memory_order_acquire);
    if (found == 0) continue;
    const Awaited wanted = Awaited::unpacked(found);
    int next = wanted.first;
    while (next < wanted.end && (next == sleeper || is_done(wanted.deed, next, wanted.number))) ++next;
    if (next == wanted.end && awaited.compare_exchange_strong(found, 0, std::memory_order_relaxed))
      peers_[static_cast<std::size_t>(sleeper)]->wake();
  }
}

// Who would have said nothing in what it calls says now that it has called it, for others who wait for its word.
void Board::fail(const Turn& turn, int rank, std::int64_t title) {
  std::atomic<std::int64_t>& mine = turn.line(rank_).title;
  if (mine.load(std::memory_order_relaxed) < turn.title_ && all_finished_ >= turn.number_ - BoardMemory::kLines) {
    mine.store(turn.title_, std::memory_order_release);
    has_published();
  }
  base::fail(abi::ERR_OTHER, fmt::format("rank {} of {} calls {}, this rank {}: {}", rank, comm_.name(),
                                         describe(title), describe(turn.title_), kAdvice));
}

void Board::fail(const Turn& turn, int rank, std::size_t bytes, std::size_t expected) const {
  base::fail(abi::ERR_COUNT, fmt::format("rank {} of {} calls {} of {} bytes, this rank of {}: {}", rank,
                                         comm_.name(), name(turn.title_), bytes, expected, kAdvice));
}

}  // namespace antiphon::coll
