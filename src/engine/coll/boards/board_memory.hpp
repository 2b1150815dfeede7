// The memory of a board, which all ranks of a communicator have mapped: for each rank a row of lines, in which it
// says what it brings to one collective each, and a seat, on which it says how far it has read and for what it
// sleeps. A view; whoever made the memory owns it. Of a row and a seat only their rank writes.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "base/cache_line.hpp"

namespace antiphon::coll {

// What a rank says in one collective, and then the number of that collective: whoever sees the number sees the data.
struct alignas(base::kCacheLine) BoardLine {
  static constexpr std::size_t kBytes = 56;
  std::byte data[kBytes];
  std::atomic<std::int64_t> title;  // of the collective (Board::Turn); 0: none so far
};
static_assert(sizeof(BoardLine) == base::kCacheLine);

struct alignas(base::kCacheLinePair) BoardSeat {
  static constexpr std::int64_t kLeft = INT64_MAX;
  std::atomic<std::int64_t> finished;  // all collectives up to this one are read; or kLeft
  std::atomic<std::uint64_t>
      awaited;  // what it sleeps for (Board::Awaited); 0: nothing, or it has been woken for that
  // Seldom written are the rest. A bit for each rank that had better write past its caches what this one is to read.
  alignas(base::kCacheLine) std::atomic<std::uint64_t> past_caches;
  // Of broadcasts (Lending): a bit for each rank whose memory this one may not read though it was lent; when this one
  // came to the last that was lent by the rank before it, and was timed; what the last on pages of that rank that was
  // timed took, in ns for a MiB, by lengths.
  static constexpr std::size_t kRanges = 5;
  std::atomic<std::uint64_t> refuses, came, cost_on_pages[kRanges];
};

class BoardMemory {
 public:
  static constexpr int kMostRanks = 64;       // as many as a word has bits
  static constexpr std::int64_t kLines = 64;  // in a row

  BoardMemory(std::byte* start, int ranks)
      : start_(start),
        ranks_(ranks),
        lines_(reinterpret_cast<BoardLine*>(start + sizeof(Door) +
                                            static_cast<std::size_t>(ranks) * sizeof(BoardSeat))) {}

  [[nodiscard]] static constexpr std::size_t bytes(int ranks) {
    return sizeof(Door) + static_cast<std::size_t>(ranks) * (sizeof(BoardSeat) + kRowBytes);
  }
  [[nodiscard]] std::byte* start() const { return start_; }
  [[nodiscard]] int ranks() const { return ranks_; }
  // A bit for each rank that sleeps. It sets and clears its own.
  [[nodiscard]] std::atomic<std::uint64_t>& sleepers() const { return reinterpret_cast<Door*>(start_)->sleepers; }
  [[nodiscard]] BoardSeat& seat(int rank) const {
    return reinterpret_cast<BoardSeat*>(start_ + sizeof(Door))[static_cast<std::size_t>(rank)];
  }
  // In which ranks say what they bring to collective `number`: that of rank 0, and kLines further on that of each
  // next.
  [[nodiscard]] BoardLine* lines(std::int64_t number) const { return lines_ + index(number); }
  [[nodiscard]] static std::size_t index(std::int64_t number) { return static_cast<std::uint64_t>(number) % kLines; }

 private:
  struct alignas(base::kCacheLinePair) Door {
    std::atomic<std::uint64_t> sleepers;
  };
  static constexpr std::size_t kRowBytes = kLines * sizeof(BoardLine);

  std::byte* start_;
  int ranks_;
  BoardLine* lines_;
};

// What each rank says in one collective.
class Lines {
 public:
  Lines(const BoardLine* first, int ranks) : first_(first), ranks_(ranks) {}
  [[nodiscard]] int ranks() const { return ranks_; }
  [[nodiscard]] const std::byte* of(int rank) const { return first_[rank * BoardMemory::kLines].data; }
  [[nodiscard]] std::int64_t title(int rank) const {
    return first_[rank * BoardMemory::kLines].title.load(std::memory_order_acquire);
  }

 private:
  const BoardLine* first_;
  int ranks_;
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
