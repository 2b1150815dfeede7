#include "engine/coll/boards/board.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "abi/constants.hpp"
#include "base/error.hpp"
#include "engine/coll/steps.hpp"

namespace antiphon::coll {

namespace {

constexpr int kEagerLooks = 50;

}  // namespace

Board::Board(const BoardMemory& memory, const BoardMemory& for_exchanges, objects::Comm& comm, BoardPeers peers,
             progress::Progress& progress, const Giving& giving, Owner& owner)
    : memory_(memory),
      comm_(comm),
      rank_(comm.rank()),
      progress_(progress),
      peers_(std::move(peers)),
      sleepers_(memory, rank_, peers_, progress),
      exchanges_(for_exchanges, comm, peers_, progress),
      owner_(owner),
      finished_(static_cast<std::size_t>(memory.ranks())),
      giving_(giving) {
  readers_.fill(kEverybody);
}

void Board::set_pages(const BoardPages& pages) {
  pages_ = pages;
  ring_ = PageRing(pages.bytes_each());
  experiences_.resize(static_cast<std::size_t>(size()));
}

// Where all ranks read, the next rank advises.
base::WritingStyle Board::style_for(int reader) {
  if (giving_.written) return {.how = *giving_.written};
  const int adviser = reader == kEverybody ? (rank_ + 1) % size() : reader;
  const bool past_caches = (memory_.seat(adviser).past_caches.load(std::memory_order_relaxed) >> rank_ & 1) != 0;
  return base::WritingStyle::of(past_caches ? Written::past_caches : Written::as_ever, pages_written_++);
}

void Board::learn(int writer, Written how, std::uint64_t cost) {
  base::Preference<Written>& known = experiences_[static_cast<std::size_t>(writer)];
  const Written before = known.advice();
  known.learn(how, cost);
  if (known.advice() == before) return;
  memory_.seat(rank_).past_caches.fetch_xor(std::uint64_t{1} << writer, std::memory_order_relaxed);
}

Board::~Board() { owner_.left(memory_, pages_, rank_); }

// A close look also reads the rank's entry, where it publishes a title whatever collective it is in. So this rank
// finds out if the other is in a different collective.
bool Board::has_come(const Turn& turn, int rank, Look look) {
  if (turn.lines_.title(rank) == turn.title_) return true;
  if (look == Look::quick) return false;
  const std::int64_t title = memory_.lines(turn.number_, Lines::In::entries).title(rank);
  if (title == turn.title_) return true;
  if (Title::number(title) >= turn.number_) [[unlikely]]
    fail(turn, rank, title);
  return false;
}

// Waits until done(look) is true. `done` updates `awaited` as ranks do what this rank waits for. The first looks poll
// nothing else, because data that is on its way from another core arrives within that time. Looks are quick until
// this rank is about to sleep: an entry that nobody reads costs its writer almost nothing.
template <class Done>
void Board::wait(Done&& done, const Awaited& awaited) {
  for (int look = 0; look < kEagerLooks; ++look)
    if (done(Look::quick)) return;
  // While this exists, this rank's bit may be set among the sleepers.
  struct Sleep {
    Sleepers& sleepers;
    bool announced = false;
    ~Sleep() {
      if (announced) sleepers.retract();
    }
  } sleep{sleepers_};
  progress_.wait([&] { return done(sleep.announced ? Look::close : Look::quick); },
                 [&] {
                   sleep.announced = true;
                   sleepers_.announce(awaited);
                   return progress::WaitReason{.communicator = comm_.name().c_str(),
                                               .peer = comm_.world_rank(awaited.first)};
                 });
}

void Board::await(const Turn& turn, int first, int end) {
  Awaited awaited{Deed::comes, first, end, turn.number_};
  wait(
      [&](Look look) {
        while (awaited.first < end && has_come(turn, awaited.first, look)) ++awaited.first;
        return awaited.first == end;
      },
      awaited);
}

// Waits until this rank may write its line for collective `number`. If it has to wait at all, it waits until half of
// its lines are free, so that both it and its readers do more whenever they run.
void Board::await_readers_of_line(std::int64_t number) {
  const std::int64_t before = number - BoardMemory::kLines;
  const int reader = readers_[BoardMemory::index(number)];
  await_reader(reader, before, before + BoardMemory::kLines / 2);
  const std::int64_t finished = reader == kEverybody ? all_finished_ : finished_[static_cast<std::size_t>(reader)];
  is_followed_ = number - finished < BoardMemory::kLines * 3 / 8;  // readers publish their progress every kLines / 4
}

// Waits until one rank, or all, have finished collective `number`; if they have not, until they have finished
// `better`.
void Board::await_reader(int reader, std::int64_t number, std::int64_t better) {
  const bool one = reader != kEverybody;
  const int first = one ? reader : 0, end = one ? reader + 1 : size();
  Awaited awaited{Deed::finishes, first, end, number};
  const auto have_read = [&](Look) {
    for (; awaited.first < end; ++awaited.first) {
      std::int64_t& known = finished_[static_cast<std::size_t>(awaited.first)];
      if (awaited.first == rank_ || known >= awaited.number) continue;
      known = memory_.seat(awaited.first).finished.load(std::memory_order_acquire);
      if (known < awaited.number) return false;
    }
    return true;
  };
  if (!have_read(Look::quick)) {
    awaited.first = first;
    awaited.number = better;
    wait(have_read, awaited);
  }
  if (one) return;
  finished_[static_cast<std::size_t>(rank_)] = BoardSeat::kLeft;
  all_finished_ = std::ranges::min(finished_);
}

// In a collective in which this rank writes nothing, it now publishes the title all the same, so that ranks that wait
// for it see which collective it has called. It also publishes that it reads nothing any more.
void Board::fail(const Turn& turn, int rank, std::int64_t title) {
  show_finished(turn.number_);
  if (turn.lines_.title(rank_) < turn.title_ && all_finished_ >= turn.number_ - BoardMemory::kLines) {
    turn.lines_.say(rank_, turn.title_);
    sleepers_.published();
  }
  const std::string ours = Title::describe(turn.title_);
  const std::string did = Title::operation(title) == Operation::none
                              ? fmt::format("takes no part in {}", ours)
                              : fmt::format("calls {}, this rank {}", Title::describe(title), ours);
  base::fail(abi::ERR_OTHER, explained(rank, comm_, did, progress_));
}

void Board::fail(const Turn& turn, int rank, std::size_t bytes, std::size_t expected) const {
  base::fail(abi::ERR_COUNT, fmt::format("rank {} of {} calls {} of {} bytes, this rank of {}: {}", rank,
                                         comm_.name(), Title::procedure(turn.title_), bytes, expected, kAdvice));
}

}  // namespace antiphon::coll
