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

// With a heap of 16 MiB in a file of its own, at its second huge page; time passes, and memory comes and goes, as
// told.
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
  std::uint64_t now_ns_ = 1;
  std::size_t available_ = std::size_t{1} << 40;
  settings::Values settings_;
  counters::Counters counters_;
  process::Allocations allocations_{{file_, 2 * kMiB, 16 * kMiB},
                                    heap_address_,
                                    settings_,
                                    counters_,
                                    1,
                                    {[this] { return now_ns_; }, [this] { return available_; }}};
};

TEST_F(Allocations, StartWhereTheyAreWanted) {
  for (const std::size_t alignment : {1u, 8u, 64u, 4096u, 1u << 20, 1u << 22})
    for (const std::size_t bytes : {std::size_t{1000}, 3 * kMiB}) {
      void* start = allocations_.allocate(bytes, alignment);
      ASSERT_NE(start, nullptr);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(start) % alignment, 0u);
      std::memset(start, 1, bytes);
      allocations_.free(start);
    }
}

// What a window needs: others must see even a byte, or may do without.
TEST_F(Allocations, ComeFromTheHeapIfTheyHaveTo) {
  using Visible = process::Allocations::Visible;
  const auto for_window = [&](std::size_t bytes, Visible visible) {
    return allocations_.allocate_for_window(bytes, 1, visible);
  };
  EXPECT_TRUE(is_shared(for_window(1, Visible::always)));
  EXPECT_FALSE(is_shared(allocations_.allocate(1, 1)));
  void* most = for_window(13 * kMiB, Visible::always);
  EXPECT_TRUE(is_shared(most));
  EXPECT_EQ(for_window(2 * kMiB, Visible::always), nullptr);
  void* elsewhere = for_window(2 * kMiB, Visible::where_possible);
  ASSERT_NE(elsewhere, nullptr);
  EXPECT_FALSE(is_shared(elsewhere));
  allocations_.free_of_window(most);
  EXPECT_TRUE(is_shared(for_window(2 * kMiB, Visible::where_possible)));
}

TEST_F(Allocations, AreKnownByTheirStartAlone) {
  using Owner = process::Allocations::Owner;
  auto* start = static_cast<char*>(allocations_.allocate(100, 1));
  int local = 0;
  EXPECT_EQ(allocations_.find(&local), nullptr);
  EXPECT_EQ(allocations_.find(nullptr), nullptr);
  EXPECT_EQ(allocations_.find(start + 1), nullptr);
  ASSERT_NE(allocations_.find(start), nullptr);
  EXPECT_EQ(allocations_.find(start)->bytes, 100u);
  EXPECT_EQ(allocations_.find(start)->owner, Owner::user);
  void* of_window = allocations_.allocate_for_window(100, 1, process::Allocations::Visible::always);
  EXPECT_EQ(allocations_.find(of_window)->owner, Owner::window);
  allocations_.free(start);
  EXPECT_EQ(allocations_.find(start), nullptr);
}

TEST_F(Allocations, OfNothingCanBeFreedToo) {
  void* start = allocations_.allocate(0, 1);
  EXPECT_NE(start, nullptr);
  allocations_.free(start);
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

TEST_F(Allocations, HaveTheirPagesFromTheBeginning) {
  (void)allocations_.allocate(5 * kMiB, 1);
  EXPECT_GE(pages(), 5 * 256);
}

// ---- what is freed

constexpr std::uint64_t kSecond = 1'000'000'000;

TEST_F(Allocations, AreGivenOutAgainWithTheirPages) {
  void* start = allocations_.allocate(3 * kMiB, 1);
  allocations_.free(start);
  EXPECT_EQ(allocations_.kept(), 3 * kMiB);
  const std::int64_t before = pages();
  EXPECT_EQ(allocations_.allocate(kMiB, 1), start);
  EXPECT_EQ(allocations_.kept(), 2 * kMiB);
  EXPECT_EQ(pages(), before);
}

TEST_F(Allocations, ThatAreStillInUseStayAsTheyAreUntilTheyAreNot) {
  for (const std::size_t bytes : {std::size_t{100}, kMiB}) {
    void* start = allocations_.allocate(bytes, 1);
    allocations_.free_later(start);
    EXPECT_EQ(allocations_.find(start), nullptr);
    allocations_.free_late([&](const void* asked, std::size_t length) { return asked == start && length == bytes; });
    void* other = allocations_.allocate(bytes, 1);
    EXPECT_NE(other, start);
    allocations_.free_late([](const void*, std::size_t) { return false; });
    if (bytes == kMiB) {
      EXPECT_EQ(allocations_.allocate(bytes, 1), start);
    }
  }
}

TEST_F(Allocations, KeepNoMoreThanASixteenthOfWhatIsLeft) {
  available_ = 16 * 2 * kMiB;
  for (const std::size_t bytes : {kMiB / 2, 3 * kMiB, 6 * kMiB}) {
    std::vector<void*> alive;
    for (int i = 0; i < 2; ++i) alive.push_back(allocations_.allocate(bytes, 1));
    for (void* start : alive) allocations_.free(start);
    EXPECT_LE(allocations_.kept(), 2 * kMiB);
    EXPECT_EQ(pages() * 4096, static_cast<std::int64_t>(allocations_.kept()));
  }
}

TEST_F(Allocations, KeepNothingWhereMemoryIsScarce) {
  available_ = 0;
  allocations_.free(allocations_.allocate(kMiB / 2, 1));
  EXPECT_EQ(pages(), 0);
}

TEST_F(Allocations, GiveBackWhatNobodyHasNeededForASecond) {
  const auto use = [&](std::size_t bytes) { allocations_.free(allocations_.allocate(bytes, 1)); };
  use(8 * kMiB);
  now_ns_ += kSecond / 2;
  use(8 * kMiB);
  now_ns_ += kSecond / 2;
  use(kMiB);
  EXPECT_EQ(allocations_.kept(), 8 * kMiB);
  now_ns_ += kSecond;
  use(kMiB);
  EXPECT_EQ(allocations_.kept(), kMiB);
  EXPECT_EQ(pages(), 256);
}

TEST_F(Allocations, GiveBackWhatIsKeptBeforeTheyAreRefused) {
  allocations_.free(allocations_.allocate(8 * kMiB, 1));
  available_ = 0;
  now_ns_ += kSecond;
  EXPECT_EQ(allocations_.allocate(10 * kMiB, 1), nullptr);
  EXPECT_EQ(allocations_.kept(), 0u);
}

// What is kept is not in the way of a piece that needs its place and more.
TEST_F(Allocations, UseAllOfTheHeapHoweverItWasDividedBefore) {
  void* low = allocations_.allocate(kMiB, 1);
  void* high = allocations_.allocate(8 * kMiB, 1);
  allocations_.free(high);
  allocations_.free(low);
  EXPECT_TRUE(is_shared(allocations_.allocate(16 * kMiB, 1)));
  EXPECT_EQ(pages(), 16 * 256);
}

TEST_F(Allocations, ArePrivateOnceTheProgramHasClosedTheFileOfTheHeap) {
  void* before = allocations_.allocate(kMiB, 1);
  ASSERT_TRUE(is_shared(before));
  close(file_);
  void* after = allocations_.allocate(kMiB, 1);
  ASSERT_NE(after, nullptr);
  EXPECT_FALSE(is_shared(after));
  std::memset(after, 1, kMiB);

  const int of_the_user = memfd_create("user", MFD_CLOEXEC);
  ASSERT_EQ(of_the_user, file_);
  const std::vector<char> content(20 * kMiB, 'x');
  ASSERT_EQ(write(of_the_user, content.data(), content.size()), static_cast<ssize_t>(content.size()));
  allocations_.free(before);
  EXPECT_EQ(allocations_.allocate(kMiB, 1), before);  // its pages are there, and others see them
  available_ = 0;
  now_ns_ += 1'000'000'000;
  allocations_.free(before);
  EXPECT_EQ(allocations_.kept(), 0u);
  EXPECT_FALSE(is_shared(allocations_.allocate(kMiB / 2, 1)));
  std::vector<char> found(content.size());
  ASSERT_EQ(pread(of_the_user, found.data(), found.size(), 0), static_cast<ssize_t>(found.size()));
  EXPECT_TRUE(found == content);
}

TEST_F(Allocations, ThatDoNotFitIntoTheHeapArePrivate) {
  void* most = allocations_.allocate(15 * kMiB, 1);
  void* more = allocations_.allocate(15 * kMiB, 1);
  EXPECT_TRUE(is_shared(most));
  ASSERT_NE(more, nullptr);
  EXPECT_FALSE(is_shared(more));
  allocations_.free(most);
  allocations_.free(more);
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
      allocations_.free(start);
      alive.pop_back();
    }
  }
  for (const auto& [start, words] : alive) allocations_.free(start);
  EXPECT_TRUE(is_shared(allocations_.allocate(16 * kMiB, 1)));
}

TEST(AllocationsAlone, NeedNoHeap) {
  std::atomic<std::uint64_t> heap_address{0};
  const settings::Values settings;
  counters::Counters counters;
  process::Allocations allocations({}, heap_address, settings, counters);
  void* start = allocations.allocate(10 * kMiB, 1);
  ASSERT_NE(start, nullptr);
  EXPECT_EQ(heap_address.load(), 0u);
  allocations.free(start);
}

// It takes much longer to ask than to allocate.
TEST(AllocationsAlone, AskWhatIsLeftOnceInAWhile) {
  int asked = 0;
  std::uint64_t now_ns = 1;
  std::atomic<std::uint64_t> heap_address{0};
  const settings::Values settings;
  counters::Counters counters;
  process::Allocations allocations({}, heap_address, settings, counters, 1,
                                   {[&] { return now_ns; },
                                    [&] {
                                      ++asked;
                                      return 1000 * kMiB;
                                    }});
  const auto use = [&](std::size_t bytes, int times) {
    asked = 0;
    for (int i = 0; i < times; ++i) allocations.free(allocations.allocate(bytes, 1));
    return asked;
  };
  EXPECT_EQ(use(kMiB - 1, 100), 0);
  EXPECT_EQ(use(kMiB, 50), 1);
  EXPECT_EQ(use(kMiB, 50), 1);
  now_ns += kSecond;
  EXPECT_EQ(use(kMiB, 50), 1);
  EXPECT_EQ(use(100 * kMiB, 3), 3);
}

// More than this machine has, though less than the heap.
TEST(AllocationsAlone, AreRefusedWhereMemoryIsMissing) {
  constexpr std::size_t kTooMuch = std::size_t{1} << 45;
  const int file = memfd_create("heap", MFD_CLOEXEC);
  ASSERT_EQ(ftruncate(file, kTooMuch), 0);
  std::atomic<std::uint64_t> heap_address{0};
  const settings::Values settings;
  counters::Counters counters;
  process::Allocations allocations({file, 0, kTooMuch}, heap_address, settings, counters);
  EXPECT_EQ(allocations.allocate(kTooMuch / 2, 1), nullptr);
  close(file);
}

}  // namespace
}  // namespace antiphon::process
