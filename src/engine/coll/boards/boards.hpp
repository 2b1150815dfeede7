// Who has a board: a communicator of few ranks, all on one node, once it has seen some collectives that a board is
// good for. All ranks count these alike, so they need not agree on when it is made: rank 0 allocates the memory and
// tells where it is, and all say whether they have it. Otherwise everything goes on with messages. A board ends with
// its communicator; its memory is kept until the last rank has left. Belongs to the Engines, before those who may
// hold communicators to their end; guarded by the lane's lock.
#pragma once

#include <functional>
#include <vector>

#include "counters/counters.hpp"
#include "engine/coll/boards/board.hpp"
#include "engine/coll/boards/exchanges.hpp"
#include "engine/pt2pt/messages.hpp"
#include "settings/values.hpp"

namespace antiphon::coll {

// Memory that all processes of this node can have in their own, at the start of a cache line. Null: there is none.
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

  // Whether this communicator may get a board. All its ranks say the same.
  [[nodiscard]] bool suits(const objects::Comm& comm) const { return suits(comm, progress_.is_crowded()); }
  // Whether what ranks bring to a collective of so many bytes, which blocks or not, is combined on a board, if there
  // is one some day; or if these ranks ran elsewhere, where results are not to depend on that. Then it is combined in
  // the same order before. Two ranks have no other order.
  [[nodiscard]] bool may_combine(Operation what, std::size_t bytes, bool blocks, const objects::Comm& comm) const;
  // For a collective that a board is good for; null: there is none. All ranks ask alike.
  [[nodiscard]] Board* of(objects::Comm& comm) { return counted(find(comm)); }
  // For exchanges that do not block: where a blocking one has made a board before. Making it would block.
  [[nodiscard]] ExchangeBoard* for_exchanges(objects::Comm& comm) {
    Board* const board = counted(static_cast<Board*>(comm.board()));
    return board ? &board->exchanges() : nullptr;
  }
  [[nodiscard]] Exchanges& exchanges() { return exchanges_; }
  // For one to which ranks bring so many bytes, which are more than fit into lines.
  [[nodiscard]] Board* with_pages(objects::Comm& comm, std::size_t bytes, const BoardUse& use) {
    if (bytes > most_on_pages(comm.size(), use, progress_.is_crowded())) return nullptr;
    Board* const board = find(comm);
    const bool has_pages = board && (board->pages() || (board->count_long() == kSome && make_pages(*board, comm)));
    return counted(has_pages ? board : nullptr);
  }

 private:
  static constexpr std::uint32_t kSome = 4;  // so that one which lives no longer does not pay for a board

  [[nodiscard]] bool suits(const objects::Comm& comm, bool crowded) const;
  // Bytes, in collectives that this is faster for than messages.
  [[nodiscard]] std::size_t most_on_pages(int ranks, const BoardUse& use, bool crowded) const;
  [[nodiscard]] Board* find(objects::Comm& comm) {
    if (objects::Attachment* const known = comm.board()) [[likely]]
      return static_cast<Board*>(known);
    return comm.count_collective() == kSome ? make(comm) : nullptr;
  }
  [[nodiscard]] Board* counted(Board* board) const {
    if (board) progress_.part_begins();
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
  counters::Counters* const counters_;  // null: not to be counted
  struct Ending {
    BoardMemory memory;
    BoardPages pages;
  };
  std::size_t bytes_ = 0;       // of this process's
  std::size_t own_ = 0;         // boards of this process's
  std::vector<Ending> ending_;  // which it has left and others perhaps not; there is room for all
};

}  // namespace antiphon::coll
