// Collectives through memory that all ranks of a communicator have mapped: each rank writes its data into a line of
// its own, and reads the lines of others. There are no messages. Belongs to the communicator (Boards creates it);
// guarded by the lane's lock.
//
// Collectives are numbered; all ranks call them in the same order, so they count alike. A rank has kLines lines, and
// as many entries for short data. Collective k reuses the line of collective k - kLines as soon as that has been
// read. Writing the line of collective k implies having read that of k - 1, so operations in which all ranks read the
// lines of all need no acknowledgement. In others a rank may run ahead of its readers; therefore all ranks publish
// how far they have read, every kLines / 4 collectives.
#pragma once

#include <array>
#include <cstring>
#include <optional>
#include <vector>

#include "base/preference.hpp"
#include "base/prefetch.hpp"
#include "base/written.hpp"
#include "engine/coll/boards/board_memory.hpp"
#include "engine/coll/boards/exchange_board.hpp"
#include "engine/coll/boards/page_ring.hpp"
#include "engine/coll/boards/sleepers.hpp"
#include "engine/coll/boards/title.hpp"
#include "engine/coll/boards/use.hpp"
#include "engine/coll/region.hpp"
#include "engine/pt2pt/experience.hpp"
#include "objects/comm.hpp"

namespace antiphon::coll {

using base::Written;

class Board final : public objects::Attachment {
 public:
  static constexpr std::size_t kMostBytes = BoardLine::kBytes;
  static constexpr int kEverybody = BoardUse::kEverybody;

  // Is told when this rank leaves the board, and frees the memory when all have left.
  class Owner {
   public:
    virtual void left(const BoardMemory& memory, const BoardPages& pages, int rank) noexcept = 0;

   protected:
    ~Owner() = default;
  };

  // How pages are written: in the given way, or, if there is none, in the one that has proved to be the fastest.
  struct Giving {
    std::optional<Written> written;
    const pt2pt::Clock& clock;
  };

  Board(const BoardMemory& memory, const BoardMemory& for_exchanges, objects::Comm& comm, BoardPeers peers,
        progress::Progress& progress, const Giving& giving, Owner& owner);
  ~Board() override;
  Board(const Board&) = delete;
  Board& operator=(const Board&) = delete;

  [[nodiscard]] const objects::Comm& comm() const { return comm_; }
  [[nodiscard]] progress::Progress& progress() { return progress_; }
  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return memory_.ranks(); }
  // Without pages, a collective carries only what fits into lines. All ranks have pages, or none.
  [[nodiscard]] const BoardPages& pages() const { return pages_; }
  void set_pages(const BoardPages& pages);
  // How many bytes a rank writes in one turn at most: a page. Where ranks share cores and wait for all others, it is
  // a quarter of the rank's memory, because each turn costs each rank a turn on its core. It is no more than that,
  // because two such pages must fit there, wherever the first one begins.
  [[nodiscard]] std::size_t part_bytes(Operation what) const {
    const bool in_few_turns =
        board_use(what).flow == BoardUse::Flow::from_all_to_all && size() > 2 && progress_.is_crowded();
    return in_few_turns ? pages_.bytes_each() / 4 : pages_.page_bytes();
  }
  [[nodiscard]] std::uint32_t count_long() { return ++long_ones_; }
  // Counts `turns` turns as finished. For a rank that fails before it has had all turns of a collective.
  void skip(std::size_t turns) {
    number_ += static_cast<std::int64_t>(turns);
    show_finished(number_);
  }
  // The board of nonblocking collectives.
  [[nodiscard]] ExchangeBoard& exchanges() { return exchanges_; }

  // Whether a rank writes its data, or publishes only that it has none.
  enum class Part : bool { present, missing };

  // One collective, or one turn of a long one, from its beginning to its end on this rank. All ranks pass the same
  // arguments, but for `part`.
  class Turn {
   public:
    Turn(Board& board, const Agreed& agreed, Part part = Part::present)
        : board_(board),
          number_(++board.number_),
          title_(Title::of(number_, part == Part::present ? agreed : Agreed{Operation::none})),
          reader_(board_use(agreed.what).reader(agreed.root)),
          lines_(board.memory_.lines(number_, place_of(agreed))) {}
    ~Turn() { board_.finish(number_); }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

    // Where this rank writes its data. Waits until nobody reads there any more.
    [[nodiscard]] std::byte* room() {
      if (board_.all_finished_ < number_ - BoardMemory::kLines) [[unlikely]]
        board_.await_readers_of_line(number_);
      return lines_.of(board_.rank_);
    }
    // Publishes the title, and with it the data, and wakes ranks that slept until then.
    void publish() {
      board_.readers_[BoardMemory::index(number_)] = reader_;
      lines_.say(board_.rank_, title_);
      board_.sleepers_.published();
    }
    // Waits for a rank; returns its data.
    [[nodiscard]] const std::byte* of(int rank) {
      if (lines_.title(rank) != title_) board_.await(*this, rank, rank + 1);
      return lines_.of(rank);
    }
    // Waits for all ranks. Each has finished the collective before, since it has published this one.
    void await_all() {
      board_.take_line_for(number_ + 1);
      for (int rank = 0; rank < board_.size(); ++rank)
        if (lines_.title(rank) != title_) {
          board_.await(*this, rank, board_.size());
          break;
        }
      board_.all_finished_ = number_ - 1;
    }

    // Valid when all have come.
    [[nodiscard]] const Lines& lines() const { return lines_; }

   private:
    friend class Board;
    friend class PageTurn;
    // Collectives in which all ranks wait for all use lines: each rank fetches its next line while it waits.
    static constexpr Lines::In place_of(const Agreed& agreed) {
      const bool from_all_to_all = board_use(agreed.what).flow == BoardUse::Flow::from_all_to_all;
      return agreed.bytes <= BoardEntry::kBytes && !from_all_to_all ? Lines::In::entries : Lines::In::lines;
    }

    Board& board_;
    const std::int64_t number_;
    const std::int64_t title_;
    const int reader_;
    const Lines lines_;
  };

  // One turn of a collective whose data does not fit into lines. `used`: the bytes of a page that this turn uses, the
  // same on all ranks.
  class PageTurn : private Turn {
   public:
    PageTurn(Board& board, const Agreed& agreed, std::size_t used, Part part = Part::present)
        : Turn(board, {agreed.what, Title::kMany, agreed.root, agreed.op}, part),
          used_(base::whole_lines(used)),
          note_{.bytes = agreed.bytes} {}
    // Before a writer uses a part of its memory again, it waits until what was there has been read. Readers publish
    // their progress whenever a quarter of a rank's memory has been used, so at most the last quarter is not yet
    // known to be read.
    ~PageTurn() {
      board_.unshown_ += used_;
      if (board_.unshown_ < board_.pages_.bytes_each() / 4) return;
      board_.show_finished(number_);
      board_.unshown_ = 0;
    }

    // Finds a place for this rank's page, and waits until nobody reads there any more. The page is read in this turn,
    // or up to `turns_later` turns later.
    void make_room(int turns_later = 0) {
      if (note_.bytes >= base::kLeastPastCaches) style_ = board_.style_for(reader_);
      note_.how = style_.how;
      note_.at = board_.ring_.take(used_ + board_.gap_behind(used_, style_.how), {number_ + turns_later, reader_},
                                   [this](const PageRing::Use& before) {
                                     if (board_.all_finished_ < before.number)
                                       board_.await_reader(before.reader, before.number, before.number);
                                   });
    }
    // Packs `bytes` bytes of `from`, beginning with packed byte `offset`, to `at` bytes after the beginning of the
    // page.
    void write(const Region& from, std::size_t offset, std::size_t bytes, std::size_t at = 0) {
      const auto pack = style_.how == Written::past_caches ? data::stream_part : data::pack_part;
      std::byte* const to = board_.pages_.of(board_.rank_) + note_.at + at;
      if (!style_.is_timed) return pack(from.at, from.scattered, offset, to, bytes);
      note_.cost = board_.cost_of(bytes, [&] {
        pack(from.at, from.scattered, offset, to, bytes);
        if (style_.how == Written::past_caches) base::order_streams();
      });
    }
    void publish() {
      if (style_.how == Written::past_caches) base::order_streams();
      std::memcpy(Turn::room(), &note_, sizeof note_);
      Turn::publish();
    }
    // Waits for a rank; calls take(page), which reads `bytes` bytes of its page.
    template <class Take>
    void read(int rank, std::size_t bytes, Take&& take) {
      const Note theirs = note_of(rank);
      const std::byte* const page = board_.pages_.of(rank) + theirs.at;
      if (theirs.cost == 0) return take(page);
      board_.learn(rank, theirs.how, theirs.cost + board_.cost_of(bytes, [&] { take(page); }));
    }
    // Waits for a rank; returns its page.
    [[nodiscard]] std::byte* page(int rank) { return board_.pages_.of(rank) + note_of(rank).at; }
    // The same where the time of reading says nothing of the page, because a user's function reads it: if this page's
    // cost is to be learned, its lines are fetched, and timed, before.
    [[nodiscard]] std::byte* fetched_page(int rank, std::size_t bytes) {
      if (note_of(rank).cost != 0) read(rank, bytes, [&](const std::byte* page) { base::fetch_lines(page, bytes); });
      return page(rank);
    }
    // The page of the turn before. The rank has come to this turn.
    [[nodiscard]] const std::byte* page_before(int rank) const {
      return board_.pages_.of(rank) + note_in(board_.memory_.lines(number_ - 1, Lines::In::lines).of(rank)).at;
    }
    void await(int rank) { (void)Turn::of(rank); }
    using Turn::await_all;

   private:
    // What a line says of its rank's page.
    struct Note {
      std::size_t bytes;   // of the collective
      std::size_t at = 0;  // where it begins in the rank's memory for pages
      Written how = Written::as_ever;
      std::uint64_t cost = 0;  // of writing the page, if it was timed; else 0
    };
    [[nodiscard]] static Note note_in(const std::byte* line) {
      Note note;
      std::memcpy(&note, line, sizeof note);
      return note;
    }
    [[nodiscard]] Note note_of(int rank) {
      const Note theirs = note_in(Turn::of(rank));
      if (theirs.bytes != note_.bytes) [[unlikely]]
        board_.fail(*this, rank, theirs.bytes, note_.bytes);
      return theirs;
    }

    const std::size_t used_;
    base::WritingStyle style_;
    Note note_;
  };

 private:
  using Deed = Awaited::Deed;

  void await(const Turn& turn, int first, int end);
  void await_readers_of_line(std::int64_t number);
  void await_reader(int reader, std::int64_t number, std::int64_t better);
  template <class Done>
  void wait(Done&& done, const Awaited& awaited);
  enum class Look : std::uint8_t { quick, close };
  [[nodiscard]] bool has_come(const Turn& turn, int rank, Look look);
  [[noreturn]] void fail(const Turn& turn, int rank, std::int64_t title);
  [[noreturn]] void fail(const Turn& turn, int rank, std::size_t bytes, std::size_t expected) const;

  // Fetches this rank's line for writing while it waits for other ranks anyway.
  void take_line_for(std::int64_t number) noexcept {
    if (all_finished_ >= number - BoardMemory::kLines) [[likely]]
      base::take_line(*memory_.lines(number, Lines::In::lines).of(rank_));
  }
  void finish(std::int64_t number) noexcept {
    if (number % (BoardMemory::kLines / 4) != 0) [[likely]]
      return;
    show_finished(number);
  }
  void show_finished(std::int64_t number) noexcept {
    memory_.seat(rank_).finished.store(number, std::memory_order_release);
    sleepers_.published();
  }
  [[nodiscard]] base::WritingStyle style_for(int reader);
  // Bytes left empty behind a page. There are none if readers are far behind or share a core with the writer: they do
  // not prefetch what the writer is about to write.
  [[nodiscard]] std::size_t gap_behind(std::size_t page, Written how) const {
    return is_followed_ && !progress_.is_crowded() ? base::gap_behind(page, how) : 0;
  }
  void learn(int writer, Written how, std::uint64_t cost);
  // Nanoseconds for a MiB, and at least 1.
  template <class Deed>
  [[nodiscard]] std::uint64_t cost_of(std::size_t bytes, Deed&& deed) {
    const std::uint64_t since = giving_.clock();
    deed();
    return ((giving_.clock() - since) << 20) / (bytes | 1) + 1;
  }

  const BoardMemory memory_;
  objects::Comm& comm_;
  const int rank_;
  progress::Progress& progress_;
  const BoardPeers peers_;
  Sleepers sleepers_;
  ExchangeBoard exchanges_;
  Owner& owner_;
  std::int64_t number_ = 0;
  std::int64_t all_finished_ = 0;                 // by all ranks, at least
  std::vector<std::int64_t> finished_;            // by each rank, at least
  std::array<int, BoardMemory::kLines> readers_;  // who reads each of this rank's lines: a rank, or kEverybody
  bool is_followed_ = true;                       // readers were close behind when this rank last looked
  BoardPages pages_;
  std::uint32_t long_ones_ = 0;  // collectives that could have used pages
  PageRing ring_;                // of this rank's pages
  std::size_t unshown_ = 0;      // bytes of pages used since this rank last published its progress
  const Giving giving_;
  std::vector<base::Preference<Written>> experiences_;  // with the pages of each rank
  std::uint32_t pages_written_ = 0;                     // of those that could have bypassed the caches
};

}  // namespace antiphon::coll
