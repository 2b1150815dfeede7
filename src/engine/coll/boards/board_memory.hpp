// The memory of a board, which all ranks of a communicator have mapped: for each rank a row, in which it says what it
// brings to one collective each, and a seat, on which it says how far it has read and for what it sleeps. A view;
// whoever made the memory owns it. Of a row and a seat only their rank writes.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "base/cache_line.hpp"

namespace antiphon::coll {

// What a rank says in one collective, and then its title (Board::Turn): whoever sees the title sees the data. It has
// a line of its own, or an entry, which is a quarter of one: who writes what others read must take back each line,
// and that takes long where cores are far apart. What lies in a line is announced by the title of the entry, too: so
// all ranks find it there, also those who expect something else.
template <std::size_t kSize>
struct alignas(kSize) BoardWord {
  static constexpr std::size_t kBytes = kSize - sizeof(std::int64_t);
  std::byte data[kBytes];
  std::atomic<std::int64_t> title;  // 0: none so far
};
using BoardEntry = BoardWord<16>;
using BoardLine = BoardWord<base::kCacheLine>;

// What a rank has said of late. It has an entry and a line for each of so many collectives.
struct alignas(base::kCacheLinePair) BoardRow {
  static constexpr std::size_t kLines = 64;
  BoardEntry entries[kLines];
  BoardLine lines[kLines];
};

struct alignas(base::kCacheLinePair) BoardSeat {
  static constexpr std::int64_t kLeft = INT64_MAX;
  std::atomic<std::int64_t> finished;  // all collectives up to this one are read; or kLeft
  std::atomic<std::uint64_t>
      awaited;  // what it sleeps for (Board::Awaited); 0: nothing, or it has been woken for that
  // Seldom written are the rest. A bit for each rank that had better write past its caches what this one is to read.
  alignas(base::kCacheLine) std::atomic<std::uint64_t> past_caches;
};

// What each rank says in one collective.
class Lines {
 public:
  enum class In : std::uint8_t { lines, entries };

  Lines(BoardRow* rows, int ranks, std::size_t index, In in)
      : rows_(rows), ranks_(ranks), index_(index), in_entries_(in == In::entries) {}

  [[nodiscard]] int ranks() const { return ranks_; }
  [[nodiscard]] std::byte* of(int rank) const { return in_entries_ ? entry(rank).data : line(rank).data; }
  void say(int rank, std::int64_t title) const {
    if (!in_entries_) line(rank).title.store(title, std::memory_order_release);
    entry(rank).title.store(title, std::memory_order_release);
  }
  [[nodiscard]] std::int64_t title(int rank) const {
    return (in_entries_ ? entry(rank).title : line(rank).title).load(std::memory_order_acquire);
  }

 private:
  [[nodiscard]] BoardEntry& entry(int rank) const { return rows_[rank].entries[index_]; }
  [[nodiscard]] BoardLine& line(int rank) const { return rows_[rank].lines[index_]; }

  BoardRow* rows_;
  int ranks_;
  std::size_t index_;
  bool in_entries_;
};

class BoardMemory {
 public:
  static constexpr int kMostRanks = 64;  // as many as a word has bits
  static constexpr std::int64_t kLines = BoardRow::kLines;

  BoardMemory(std::byte* start, int ranks)
      : start_(start),
        ranks_(ranks),
        rows_(reinterpret_cast<BoardRow*>(start + sizeof(Door) +
                                          static_cast<std::size_t>(ranks) * sizeof(BoardSeat))) {}

  [[nodiscard]] static constexpr std::size_t bytes(int ranks) {
    return sizeof(Door) + static_cast<std::size_t>(ranks) * (sizeof(BoardSeat) + sizeof(BoardRow));
  }
  [[nodiscard]] std::byte* start() const { return start_; }
  [[nodiscard]] int ranks() const { return ranks_; }
  // A bit for each rank that sleeps. It sets and clears its own.
  [[nodiscard]] std::atomic<std::uint64_t>& sleepers() const { return reinterpret_cast<Door*>(start_)->sleepers; }
  [[nodiscard]] BoardSeat& seat(int rank) const {
    return reinterpret_cast<BoardSeat*>(start_ + sizeof(Door))[static_cast<std::size_t>(rank)];
  }
  // In which ranks say what they bring to collective `number`.
  [[nodiscard]] Lines lines(std::int64_t number, Lines::In in) const { return {rows_, ranks_, index(number), in}; }
  [[nodiscard]] static std::size_t index(std::int64_t number) { return static_cast<std::uint64_t>(number) % kLines; }

 private:
  struct alignas(base::kCacheLinePair) Door {
    std::atomic<std::uint64_t> sleepers;
  };

  std::byte* start_;
  int ranks_;
  BoardRow* rows_;
};

// Where ranks put what is longer than a line: each has a piece of it, for its pages. Memory of its own, made when
// there is something for it.
class BoardPages {
 public:
  BoardPages() = default;  // none
  BoardPages(std::byte* start, int ranks)
      : start_(start), bytes_each_(bytes_each(ranks)), page_bytes_(page_bytes(ranks)) {}

  // The longest page.
  [[nodiscard]] static constexpr std::size_t page_bytes(int ranks) {
    constexpr std::size_t kLeast = std::size_t{4} << 10, kMost = std::size_t{32} << 10;
    return std::clamp(kMost * 4 / std::bit_ceil(static_cast<std::size_t>(ranks)), kLeast, kMost);
  }
  // Two ranks have so much that what one writes is back in a cache that both have before it is written again, which
  // is faster than taking it from the other core. Several on one core need it to do much at a turn.
  [[nodiscard]] static constexpr std::size_t bytes_each(int ranks) {
    return (ranks == 2 ? 64 : 16) * page_bytes(ranks);
  }
  [[nodiscard]] static constexpr std::size_t bytes(int ranks) {
    return bytes_each(ranks) * static_cast<std::size_t>(ranks);
  }

  explicit operator bool() const { return start_ != nullptr; }
  [[nodiscard]] std::byte* start() const { return start_; }
  [[nodiscard]] std::size_t page_bytes() const { return page_bytes_; }
  [[nodiscard]] std::size_t bytes_each() const { return bytes_each_; }
  [[nodiscard]] std::byte* of(int rank) const { return start_ + static_cast<std::size_t>(rank) * bytes_each_; }

 private:
  std::byte* start_ = nullptr;
  std::size_t bytes_each_ = 0;
  std::size_t page_bytes_ = 0;
};

}  // namespace antiphon::coll
