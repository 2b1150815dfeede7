// Where in its memory a rank puts its pages: one after the other, around it, so that all of it is used in turn,
// however little each page is. What comes back to be written again has left the caches of those who have read it by
// then, and what is written next lies beside what was written last; both make it faster (docs/performance.md).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace antiphon::coll {

class PageRing {
 public:
  static constexpr std::size_t kMost = 64;  // pages that may be unread

  // In which collective a page was written, and who reads it.
  struct Use {
    std::int64_t number;
    int reader;
  };

  PageRing() = default;  // of no memory
  explicit PageRing(std::size_t bytes) : bytes_(bytes) {}

  // Where the next page begins, which is of so many bytes and in one piece. Those whose place it takes must have been
  // read: await(use) is called for each, in their order.
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
  // Bytes are counted since the beginning.
  struct Page {
    Use use;
    std::uint64_t begin;
  };
  [[nodiscard]] Page& page(std::uint64_t number) { return pages_[number % kMost]; }

  std::size_t bytes_ = 0;
  std::uint64_t written_ = 0, oldest_ = 0, newest_ = 0;
  std::array<Page, kMost> pages_;  // from the oldest that may be unread on
};

}  // namespace antiphon::coll
