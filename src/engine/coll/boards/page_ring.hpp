// Where a rank puts its pages: one after the other, around its memory, so that all of it is used in turn, however
// short pages are. So a place has left the caches of its readers before it is written again, and each page follows
// the last one written. Both make writing faster (docs/decisions/0013-boards.md).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace antiphon::coll {

class PageRing {
 public:
  static constexpr std::size_t kMost = 64;  // pages that may be unread

  // The turn in which a page is read last, and the rank that reads it.
  struct Use {
    std::int64_t number;
    int reader;
  };

  PageRing() = default;  // without memory
  explicit PageRing(std::size_t bytes) : bytes_(bytes) {}

  // Returns where the next page of `bytes` bytes begins; it is contiguous. Pages whose place it takes must have been
  // read: calls await(use) for each, oldest first.
  template <class Await>
  [[nodiscard]] std::size_t take(std::size_t bytes, const Use& use, Await&& await) {
    const std::uint64_t to_end = bytes_ - written_ % bytes_;
    const std::uint64_t begin = bytes > to_end ? written_ + to_end : written_, end = begin + bytes;
    for (; oldest_ != newest_; ++oldest_) {
      const Page& oldest = page(oldest_);
      if (oldest.begin + bytes_ >= end && newest_ - oldest_ != kMost) break;
      await(oldest.use);
    }
    page(newest_++) = {use, begin};
    written_ = end;
    return begin % bytes_;
  }

 private:
  // Positions count all bytes since the beginning.
  struct Page {
    Use use;
    std::uint64_t begin;
  };
  [[nodiscard]] Page& page(std::uint64_t number) { return pages_[number % kMost]; }

  std::size_t bytes_ = 0;
  std::uint64_t written_ = 0, oldest_ = 0, newest_ = 0;
  std::array<Page, kMost> pages_;  // a ring: those from oldest_ to before newest_ may be unread
};

}  // namespace antiphon::coll
