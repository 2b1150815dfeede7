#include "engine/coll/boards/boards.hpp"

#include <algorithm>
#include <optional>

#include "engine/coll/executor.hpp"
#include "engine/coll/plans/allreduce.hpp"
#include "engine/coll/plans/bcast.hpp"

namespace antiphon::coll {

namespace {

// The most memory that a process allocates for boards; it does so for communicators whose rank 0 it is.
constexpr std::size_t kMostMemory = std::size_t{16} << 20;
// On a board each rank reads the data of all. If all ranks have cores of their own, messages along a tree are faster
// for more ranks than that.
constexpr int kMostAwake = 16;
// If all ranks have cores of their own, a root does not combine the pages of more ranks: they combine along a tree.
constexpr int kMostForRoot = 4;

// For a Board, and for its ExchangeBoard.
std::size_t memory_bytes(int ranks) { return 2 * BoardMemory::bytes(ranks); }

// Empty if the memory of some rank cannot be reached.
std::optional<BoardPeers> find_peers(const objects::Comm& comm, const Boards::MemoryOf& memory_of) {
  BoardPeers peers(static_cast<std::size_t>(comm.size()));
  for (int rank = 0; rank < comm.size(); ++rank) {
    if (rank == comm.rank()) continue;
    transport::PeerMemory* const memory = memory_of(comm.world_rank(rank));
    if (!memory) return std::nullopt;
    peers[static_cast<std::size_t>(rank)] = memory;
  }
  return peers;
}

// Boards follow the setting for long messages.
Board::Giving giving(settings::BulkWay way, const pt2pt::Clock& clock) {
  using settings::BulkWay;
  if (way == BulkWay::automatic) return {{}, clock};
  return {way == BulkWay::streamed_pipes ? Written::past_caches : Written::as_ever, clock};
}

}  // namespace

Boards::~Boards() {
  for (const Ending& ending : ending_) {
    common_.free(ending.memory.start());
    if (ending.pages) common_.free(ending.pages.start());
  }
}

bool Boards::suits(const objects::Comm& comm, bool crowded) const {
  const int most = settings_.board_ranks != 0 ? static_cast<int>(settings_.board_ranks)
                                              : (crowded ? BoardMemory::kMostRanks : kMostAwake);
  return !comm.is_inter() && comm.size() > 1 && comm.size() <= most;
}

std::size_t Boards::most_on_pages(int ranks, const BoardUse& use, bool crowded) const {
  constexpr std::size_t kAny = SIZE_MAX;
  if (ranks > use.most_with_pages) return 0;
  if (settings_.board_bytes != 0) return settings_.board_bytes;
  if (ranks == 2 || use.is_for_all()) return kAny;
  const std::size_t ring = BoardPages::bytes_each(ranks), few_pages = 4 * BoardPages::page_bytes(ranks);
  // Where ranks share cores, pages need fewer turns on them than messages. But before there are pages, vectors are
  // combined along the same tree with messages, which is slow for long ones.
  if (crowded && use.flow != BoardUse::Flow::from_root) return use.combines ? 4 * ring : kAny;
  // With cores of their own, many ranks share the work of the root.
  if (use.root_combines() && ranks > kMostForRoot) return 0;
  return use.combines ? ring : few_pages;
}

bool Boards::may_combine(Operation what, std::size_t bytes, bool blocks, const objects::Comm& comm) const {
  const BoardUse use = board_use(what);
  const bool crowded = progress_.is_crowded() || settings_.reproducible == settings::Reproducible::ranks;
  if (!use.combines || !suits(comm, crowded)) return false;
  const int ranks = comm.size();
  return bytes <= Board::kMostBytes || (blocks && ranks > 2 && bytes <= most_on_pages(ranks, use, crowded));
}

Board* Boards::make(objects::Comm& comm) {
  if (!suits(comm, progress_.is_crowded())) return nullptr;
  std::optional<BoardPeers> peers = find_peers(comm, memory_of_);
  if (!peers) return nullptr;  // some rank is on another node, so all ranks get here, and none waits for another
  std::byte* const start = share(comm, peers->front(), memory_bytes(comm.size()), Content::zeros);
  if (!start) return nullptr;
  const BoardMemory memory(start, comm.size()), for_exchanges(start + BoardMemory::bytes(comm.size()), comm.size());
  Board::Owner& owner = *this;
  auto board = std::make_unique<Board>(memory, for_exchanges, comm, std::move(*peers), progress_,
                                       giving(settings_.bulk_way, clock_), owner);
  Board* const made = board.get();
  comm.set_board(std::move(board));
  return made;
}

bool Boards::make_pages(Board& board, objects::Comm& comm) {
  std::byte* const start =
      share(comm, memory_of_(comm.world_rank(0)), BoardPages::bytes(comm.size()), Content::anything);
  if (start) board.set_pages(BoardPages(start, comm.size()));
  return start != nullptr;
}

// Maps memory of rank 0 on all ranks. Returns null on all ranks if one of them has not got it.
std::byte* Boards::share(objects::Comm& comm, transport::PeerMemory* of_first, std::size_t bytes, Content content) {
  const bool is_owner = comm.rank() == 0;
  std::byte* const own = is_owner ? allocate(bytes) : nullptr;
  if (own && content == Content::zeros) std::memset(own, 0, bytes);
  auto address = reinterpret_cast<std::uintptr_t>(own);
  Executor telling(pt2pt_, progress_, comm);
  plan_bcast(telling, {&address, sizeof address}, 0);
  if (address == 0) return nullptr;
  std::byte* const start = is_owner ? own : of_first->mapped(address, bytes);
  std::int32_t have_it = start ? 1 : 0;
  const auto least = Reduction::of(objects::Op::Kind::min, objects::Element::int32, sizeof have_it);
  Executor agreeing(pt2pt_, progress_, comm);
  plan_allreduce(agreeing, {}, {&have_it, 1, least});
  if (have_it != 0) return start;
  if (is_owner) give_back(own, bytes);
  return nullptr;
}

std::byte* Boards::allocate(std::size_t bytes) {
  free_those_left();
  if (bytes_ + bytes > kMostMemory) return nullptr;
  auto* const start = static_cast<std::byte*>(common_.allocate(bytes));
  if (start) bytes_ += bytes;
  return start;
}

void Boards::give_back(std::byte* memory, std::size_t bytes) {
  bytes_ -= bytes;
  common_.free(memory);
}

void Boards::left(const BoardMemory& memory, const BoardPages& pages, int rank) noexcept {
  memory.seat(rank).finished.store(BoardSeat::kLeft, std::memory_order_release);
  if (rank != 0) return;
  ending_.push_back({memory, pages});
  free_those_left();
}

void Boards::free_those_left() {
  std::erase_if(ending_, [this](const Ending& ending) {
    const int ranks = ending.memory.ranks();
    for (int rank = 0; rank < ranks; ++rank)
      if (ending.memory.seat(rank).finished.load(std::memory_order_acquire) != BoardSeat::kLeft) return false;
    give_back(ending.memory.start(), memory_bytes(ranks));
    if (ending.pages) give_back(ending.pages.start(), BoardPages::bytes(ranks));
    return true;
  });
}

}  // namespace antiphon::coll
