// Creates the boards of communicators. A communicator of few ranks that are all on one node gets a board when it has
// called some collectives that could use one. All ranks count these alike, so they need not agree on when: rank 0
// allocates the memory and broadcasts its address, and all ranks agree on whether all have mapped it. If they have
// not, messages are used as before. A board ends with its communicator; its memory is freed when the last rank has
// left it. Belongs to the Engines, and outlives communicators; guarded by the lane's lock.
#pragma once

#include <functional>
#include <vector>

#include "counters/counters.hpp"
#include "engine/coll/boards/board.hpp"
#include "engine/coll/boards/exchanges.hpp"
#include "engine/pt2pt/messages.hpp"
#include "settings/values.hpp"

namespace antiphon::coll {

// Memory that all processes of this node can map. It begins at a cache line. allocate() returns null if there is
// none.
struct CommonMemory {
  std::function<void*(std::size_t bytes)> allocate = [](std::size_t) { return nullptr; };
  std::function<void(void*)> free = [](void*) {};
};

class Boards final : private Board::Owner {
 public:
  using MemoryOf = std::function<transport::PeerMemory*(int process)>;

  Boards(pt2pt::Messages& pt2pt, progress::Progress& progress, Exchanges& exchanges, MemoryOf memory_of,
         CommonMemory memory, pt2pt::Clock clock, const settings::Values& settings, counters::Counters& counters)
      : pt2pt_(pt2pt),
        progress_(progress),
        exchanges_(exchanges),
        memory_of_(std::move(memory_of)),
        common_(std::move(memory)),
        clock_(std::move(clock)),
        settings_(settings),
        counters_(settings.counters == settings::Counters::on ? &counters : nullptr) {}
  ~Boards();
  Boards(const Boards&) = delete;
  Boards& operator=(const Boards&) = delete;

  // Whether a collective's data is combined on a board, if there is one; or would be if these ranks shared cores,
  // where results must not depend on that (settings::Reproducible::ranks). Then messages combine in the same order
  // before there is a board. Long data of two ranks does not count, because it has only one order. `bytes`: of each
  // rank. The ranks must be on one node; only these agree on whether they share cores.
  [[nodiscard]] bool may_combine(Operation what, std::size_t bytes, bool blocks, const objects::Comm& comm) const;
  // The board for a collective whose data fits into lines; null if there is none. All ranks call it for the same
  // collectives.
  [[nodiscard]] Board* of(objects::Comm& comm) { return counted(find(comm)); }
  // For a nonblocking collective. Never creates a board, because that would block; null if no blocking collective
  // has.
  [[nodiscard]] ExchangeBoard* for_exchanges(objects::Comm& comm) {
    Board* const board = counted(static_cast<Board*>(comm.board()));
    return board ? &board->exchanges() : nullptr;
  }
  [[nodiscard]] Exchanges& exchanges() { return exchanges_; }
  // The board with pages, for a collective to which each rank brings `bytes` bytes; null if messages are faster, or
  // if there is none.
  [[nodiscard]] Board* with_pages(objects::Comm& comm, std::size_t bytes, const BoardUse& use) {
    if (bytes > most_on_pages(comm.size(), use, progress_.is_crowded())) return nullptr;
    Board* const board = find(comm);
    const bool has_pages = board && (board->pages() || (board->count_long() == kSome && make_pages(*board, comm)));
    return counted(has_pages ? board : nullptr);
  }

 private:
  static constexpr std::uint32_t kSome = 4;  // so that short-lived communicators do not pay for a board

  // Whether a communicator may get a board, if all its ranks are on one node.
  [[nodiscard]] bool suits(const objects::Comm& comm, bool crowded) const;
  // Up to how many bytes pages are faster than messages.
  [[nodiscard]] std::size_t most_on_pages(int ranks, const BoardUse& use, bool crowded) const;
  [[nodiscard]] Board* find(objects::Comm& comm) {
    if (objects::Attachment* const known = comm.board()) [[likely]]
      return static_cast<Board*>(known);
    return comm.count_collective() == kSome ? make(comm) : nullptr;
  }
  [[nodiscard]] Board* counted(Board* board) const {
    if (counters_ && board) [[unlikely]]
      counters_->board_collectives.add();
    return board;
  }
  [[gnu::cold]] Board* make(objects::Comm& comm);
  [[gnu::cold]] bool make_pages(Board& board, objects::Comm& comm);
  enum class Content : std::uint8_t { zeros, anything };
  [[nodiscard]] std::byte* share(objects::Comm& comm, transport::PeerMemory* of_first, std::size_t bytes,
                                 Content content);
  [[nodiscard]] std::byte* allocate(std::size_t bytes);
  void give_back(std::byte* memory, std::size_t bytes);
  void left(const BoardMemory& memory, const BoardPages& pages, int rank) noexcept override;
  void free_those_left();

  pt2pt::Messages& pt2pt_;
  progress::Progress& progress_;
  Exchanges& exchanges_;
  const MemoryOf memory_of_;
  const CommonMemory common_;
  const pt2pt::Clock clock_;
  const settings::Values& settings_;
  counters::Counters* const counters_;  // null: counters are off
  struct Ending {
    BoardMemory memory;
    BoardPages pages;
  };
  std::size_t bytes_ = 0;       // that this process has allocated
  std::vector<Ending> ending_;  // memory of this process that other ranks may still use
};

}  // namespace antiphon::coll
