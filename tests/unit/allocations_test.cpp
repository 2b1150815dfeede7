// The memory of MPI_Alloc_mem by itself.
#include "process/allocations.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "base/rng.hpp"

namespace antiphon::process {
namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;

// With a heap of 16 MiB in a file of its own, at its second huge page.
class Allocations : public testing::Test {
 protected:
  Allocations() { EXPECT_EQ(ftruncate(file_, 18 * kMiB), 0); }
  ~Allocations() override { close(file_); }

  // What somebody else finds at an address of this process.
  std::uint64_t seen_by_others(const void* address) const {
    std::uint64_t found = 0;
    const auto offset = reinterpret_cast<std::uintptr_t>(address) - heap_address_.load() + 2 * kMiB;
    EXPECT_EQ(pread(file_, &found, sizeof found, static_cast<off_t>(offset)), ssize_t{sizeof found});
    return found;
  }
  bool is_shared(const void* address) const {
    const auto value = reinterpret_cast<std::uintptr_t>(address);
    return heap_address_.load() != 0 && value >= heap_address_.load() && value < heap_address_.load() + 16 * kMiB;
  }
  std::int64_t pages() const {
    struct stat info;
    fstat(file_, &info);
    return info.st_blocks / 8;
  }

  int file_ = memfd_create("heap", MFD_CLOEXEC);
  std::atomic<std::uint64_t> heap_address_{0};
  process::Allocations allocations_{{file_, 2 * kMiB, 16 * kMiB}, heap_address_};
};

TEST_F(Allocations, StartWhereTheyAreWanted) {
  for (const std::size_t alignment : {1u, 8u, 64u, 4096u, 1u << 20, 1u << 22})
    for (const std::size_t bytes : {std::size_t{1000}, 3 * kMiB}) {
      void* start = allocations_.allocate(bytes, alignment);
      ASSERT_NE(start, nullptr);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(start) % alignment, 0u);
      std::memset(start, 1, bytes);
      EXPECT_TRUE(allocations_.free(start));
    }
}

// What a window needs: others must see even a byte, or may do without.
TEST_F(Allocations, ComeFromTheHeapIfTheyHaveTo) {
  using From = process::Allocations::From;
  void* byte = allocations_.allocate(1, 1, From::heap_only);
  EXPECT_TRUE(is_shared(byte));
  EXPECT_FALSE(is_shared(allocations_.allocate(1, 1)));
  void* most = allocations_.allocate(13 * kMiB, 1, From::heap_only);
  EXPECT_TRUE(is_shared(most));
  EXPECT_EQ(allocations_.allocate(2 * kMiB, 1, From::heap_only), nullptr);
  void* elsewhere = allocations_.allocate(2 * kMiB, 1, From::heap_first);
  ASSERT_NE(elsewhere, nullptr);
  EXPECT_FALSE(is_shared(elsewhere));
  EXPECT_TRUE(allocations_.free(most));
  EXPECT_TRUE(is_shared(allocations_.allocate(2 * kMiB, 1, From::heap_first)));
}

TEST_F(Allocations, FreeNothingElse) {
  auto* start = static_cast<char*>(allocations_.allocate(100, 1));
  int local = 0;
  EXPECT_FALSE(allocations_.free(&local));
  EXPECT_FALSE(allocations_.free(nullptr));
  EXPECT_FALSE(allocations_.free(start + 1));
  EXPECT_TRUE(allocations_.free(start));
  EXPECT_FALSE(allocations_.free(start));
}

TEST_F(Allocations, OfNothingCanBeFreedToo) {
  void* start = allocations_.allocate(0, 1);
  EXPECT_NE(start, nullptr);
  EXPECT_TRUE(allocations_.free(start));
}

TEST_F(Allocations, LargerThanMemoryCanBeAreRefused) {
  EXPECT_EQ(allocations_.allocate(SIZE_MAX, 1), nullptr);
  EXPECT_EQ(allocations_.allocate(PTRDIFF_MAX, 64), nullptr);
}

TEST_F(Allocations, OfLongPiecesAreSeenByOthers) {
  auto* start = static_cast<std::uint64_t*>(allocations_.allocate(kMiB, 1));
  ASSERT_TRUE(is_shared(start));
  start[0] = 42;
  start[kMiB / 8 - 1] = 43;
  EXPECT_EQ(seen_by_others(start), 42u);
  EXPECT_EQ(seen_by_others(start + kMiB / 8 - 1), 43u);
  EXPECT_FALSE(is_shared(allocations_.allocate(100, 1)));
}

TEST_F(Allocations, HaveTheirPagesFromTheBeginningAndGiveThemBack) {
  void* start = allocations_.allocate(5 * kMiB, 1);
  EXPECT_GE(pages(), 5 * 256);
  EXPECT_TRUE(allocations_.free(start));
  EXPECT_EQ(pages(), 0);
}

TEST_F(Allocations, BeginAtZeroAgainAfterAFree) {
  auto* start = static_cast<std::uint64_t*>(allocations_.allocate(kMiB, 1));
  *start = 42;
  allocations_.free(start);
  auto* again = static_cast<std::uint64_t*>(allocations_.allocate(kMiB, 1));
  ASSERT_EQ(again, start);
  EXPECT_EQ(*again, 0u);
}

TEST_F(Allocations, ThatDoNotFitIntoTheHeapArePrivate) {
  void* most = allocations_.allocate(15 * kMiB, 1);
  void* more = allocations_.allocate(15 * kMiB, 1);
  EXPECT_TRUE(is_shared(most));
  ASSERT_NE(more, nullptr);
  EXPECT_FALSE(is_shared(more));
  EXPECT_TRUE(allocations_.free(most));
  EXPECT_TRUE(allocations_.free(more));
}

// In any order, without ever overlapping; in the end the heap is in one piece again.
TEST_F(Allocations, ShareTheHeapUntilAllOfItIsFree) {
  base::Rng rng(5);
  std::vector<std::pair<std::uint64_t*, std::size_t>> alive;
  for (std::uint64_t step = 1; step < 300; ++step) {
    if (alive.size() < 6 && rng.percent(60)) {
      const std::size_t words = (64 * 1024 + static_cast<std::size_t>(rng.below(2'000'000))) / 8;
      auto* start = static_cast<std::uint64_t*>(allocations_.allocate(words * 8, 1));
      ASSERT_NE(start, nullptr);
      std::fill_n(start, words, reinterpret_cast<std::uintptr_t>(start));
      alive.emplace_back(start, words);
    } else if (!alive.empty()) {
      std::swap(alive[rng.below(alive.size())], alive.back());
      const auto [start, words] = alive.back();
      ASSERT_EQ(std::count(start, start + words, reinterpret_cast<std::uintptr_t>(start)),
                static_cast<std::ptrdiff_t>(words));
      ASSERT_TRUE(allocations_.free(start));
      alive.pop_back();
    }
  }
  for (const auto& [start, words] : alive) ASSERT_TRUE(allocations_.free(start));
  EXPECT_TRUE(is_shared(allocations_.allocate(16 * kMiB, 1)));
}

TEST(AllocationsAlone, NeedNoHeap) {
  std::atomic<std::uint64_t> heap_address{0};
  process::Allocations allocations({}, heap_address);
  void* start = allocations.allocate(10 * kMiB, 1);
  ASSERT_NE(start, nullptr);
  EXPECT_EQ(heap_address.load(), 0u);
  EXPECT_TRUE(allocations.free(start));
}

// More than this machine has, though less than the heap.
TEST(AllocationsAlone, AreRefusedWhereMemoryIsMissing) {
  constexpr std::size_t kTooMuch = std::size_t{1} << 45;
  const int file = memfd_create("heap", MFD_CLOEXEC);
  ASSERT_EQ(ftruncate(file, kTooMuch), 0);
  std::atomic<std::uint64_t> heap_address{0};
  process::Allocations allocations({file, 0, kTooMuch}, heap_address);
  EXPECT_EQ(allocations.allocate(kTooMuch / 2, 1), nullptr);
  close(file);
}

}  // namespace
}  // namespace antiphon::process
