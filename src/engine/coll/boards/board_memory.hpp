// The layout of a board's memory, which all ranks of a communicator have mapped. Each rank has a row, where it writes
// its data for the last collectives, and a seat, where it publishes how far it has read and what it sleeps for. Only
// a rank itself writes its row and seat, except that whoever wakes it clears what it sleeps for. These classes are
// views; whoever allocated the memory owns it.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "base/cache_line.hpp"

namespace antiphon::coll {

// The data of one rank for one collective, and its title (Title). The title is stored last, so whoever sees it sees
// the data. Data is in a line, or, if it is short, in an entry, which is a quarter of a line: a writer must take each
// cache line back from its readers, which takes long where cores are far apart. The title of data in a line is stored
// in the entry, too, so that a rank that expects a different collective finds it there.
template <std::size_t kSize>
struct alignas(kSize) BoardWord {
  static constexpr std::size_t kBytes = kSize - sizeof(std::int64_t);
  std::byte data[kBytes];
  std::atomic<std::int64_t> title;  // 0: none yet
};
using BoardEntry = BoardWord<16>;
using BoardLine = BoardWord<base::kCacheLine>;

// The entries and lines of one rank, for its last kLines collectives.
struct alignas(base::kCacheLinePair) BoardRow {
  static constexpr std::size_t kLines = 64;
  BoardEntry entries[kLines];
  BoardLine lines[kLines];
};

struct alignas(base::kCacheLinePair) BoardSeat {
  static constexpr std::int64_t kLeft = INT64_MAX;
  std::atomic<std::int64_t> finished;  // this collective and all before have been read; or kLeft
  std::atomic<std::uint64_t> awaited;  // packed Awaited (sleepers.cpp); 0: none, or the rank has been woken
  // Seldom written. Bit r: rank r should bypass the caches when it writes pages that this rank reads.
  alignas(base::kCacheLine) std::atomic<std::uint64_t> past_caches;
};

// The lines, or entries, of all ranks for one collective.
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
  static constexpr int kMostRanks = 64;  // a word has a bit for each
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
  // Bit r: rank r sleeps. Each rank sets and clears its own bit.
  [[nodiscard]] std::atomic<std::uint64_t>& sleepers() const { return reinterpret_cast<Door*>(start_)->sleepers; }
  [[nodiscard]] BoardSeat& seat(int rank) const {
    return reinterpret_cast<BoardSeat*>(start_ + sizeof(Door))[static_cast<std::size_t>(rank)];
  }
  // Where all ranks write their data of collective `number`.
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

// The pages of a board, where ranks write data that does not fit into lines: each rank has an equal part of this
// memory. It is allocated when such data is to be moved.
class BoardPages {
 public:
  BoardPages() = default;  // no pages
  BoardPages(std::byte* start, int ranks)
      : start_(start), bytes_each_(bytes_each(ranks)), page_bytes_(page_bytes(ranks)) {}

  // The length of the longest page, unless all ranks wait for all and share cores (Board::part_bytes).
  [[nodiscard]] static constexpr std::size_t page_bytes(int ranks) {
    constexpr std::size_t kLeast = std::size_t{4} << 10, kMost = std::size_t{32} << 10;
    return std::clamp(kMost * 4 / std::bit_ceil(static_cast<std::size_t>(ranks)), kLeast, kMost);
  }
  // The memory of one rank. Two ranks have so much that a page has left the caches of their own cores for a shared
  // one before its memory is written again; that is faster than taking its lines from the other core. More ranks need
  // room for long turns where they share cores (Board::part_bytes).
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
