#include "platform/linux/file_part.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <fstream>

namespace antiphon::platform {
namespace {

constexpr std::size_t kPartBytes = std::size_t{1} << 36;  // address space only: nobody writes that much

class GrowingMapTest : public testing::Test {
 protected:
  GrowingMapTest() { EXPECT_EQ(ftruncate(number_, static_cast<off_t>(kHugePage + kPartBytes)), 0); }
  ~GrowingMapTest() override { close(number_); }

  // The kernel cannot read a page that nothing is mapped at.
  [[nodiscard]] static bool is_mapped(const std::byte* page) {
    int ends[2];
    if (pipe(ends) != 0) return false;
    const bool readable = write(ends[1], page, 1) == 1;
    close(ends[0]);
    close(ends[1]);
    return readable;
  }

  const int number_ = memfd_create("growing-map", MFD_CLOEXEC);
  FilePart part_{number_, kHugePage, kPartBytes};
};

TEST_F(GrowingMapTest, MapsWhatItWasAskedForInWholeHugePages) {
  GrowingMap map;
  std::byte* const start = map.grow(part_, 1);
  ASSERT_NE(start, nullptr);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(start) % kHugePage, 0);
  EXPECT_TRUE(is_mapped(start + kHugePage - kPage));
  EXPECT_FALSE(is_mapped(start + kHugePage));
}

TEST_F(GrowingMapTest, StaysWhereItIsWhenItGrows) {
  GrowingMap map;
  std::byte* const start = map.grow(part_, kHugePage);
  start[1] = std::byte{7};
  EXPECT_EQ(map.grow(part_, 3 * kHugePage + 1), start);
  EXPECT_EQ(map.grow(part_, 1), start);
  EXPECT_EQ(start[1], std::byte{7});
  EXPECT_TRUE(is_mapped(start + 3 * kHugePage));
  EXPECT_FALSE(is_mapped(start + 4 * kHugePage));
}

TEST_F(GrowingMapTest, ShowsTheSameAsAnotherOne) {
  GrowingMap mine, theirs;
  std::byte* const written = mine.grow(part_, kHugePage + 10);
  written[kHugePage + 9] = std::byte{42};
  EXPECT_EQ(theirs.grow(part_, kHugePage + 10)[kHugePage + 9], std::byte{42});
}

// The program closes what it does not know, and may open another file under the number.
class ForgottenDescriptor : public GrowingMapTest, public testing::WithParamInterface<bool> {
 protected:
  void forget() {
    close(number_);
    if (GetParam()) {
      ASSERT_EQ(dup2(other_, number_), number_);
    }
  }
  [[nodiscard]] std::int64_t bytes_of_other() const { return lseek(other_, 0, SEEK_END); }

  const int other_ = memfd_create("other", MFD_CLOEXEC);
};

TEST_P(ForgottenDescriptor, IsNotMapped) {
  ASSERT_EQ(ftruncate(other_, static_cast<off_t>(kHugePage + kPartBytes)), 0);
  forget();
  EXPECT_EQ(part_.file.descriptor(), -1);
  EXPECT_EQ(GrowingMap().grow(part_, 1), nullptr);
}

TEST_P(ForgottenDescriptor, IsNotNeededWhereTheFileIsMappedAlready) {
  void* const begin = mmap(nullptr, kPage, PROT_READ | PROT_WRITE, MAP_SHARED, number_, 0);
  const FilePart part{{number_, static_cast<std::byte*>(begin)}, kHugePage, kPartBytes};
  GrowingMap before, after;
  std::byte* const written = before.grow(part, 3 * kHugePage);
  written[kHugePage + 9] = std::byte{42};
  ASSERT_NE(after.grow(part, 10), nullptr);
  forget();
  std::byte* const grown = after.grow(part, kHugePage + 10);
  ASSERT_NE(grown, nullptr);
  EXPECT_EQ(grown[kHugePage + 9], std::byte{42});
  EXPECT_FALSE(is_mapped(grown + 2 * kHugePage));
  EXPECT_EQ(bytes_of_other(), 0);
  munmap(begin, kPage);
}

INSTANTIATE_TEST_SUITE_P(ByItsNumber, ForgottenDescriptor, testing::Bool(),
                         [](const auto& test) { return test.param ? "OfAnotherFile" : "OfNone"; });

TEST(AddressRangeTest, MakesDoWithLessWhereAddressesAreLimited) {
  rlimit unlimited{};
  getrlimit(RLIMIT_AS, &unlimited);
  rlim_t pages_now = 0;  // a sanitizer has taken a lot already
  std::ifstream("/proc/self/statm") >> pages_now;
  const rlimit limited{.rlim_cur = pages_now * kPage + (rlim_t{1} << 35), .rlim_max = unlimited.rlim_max};
  setrlimit(RLIMIT_AS, &limited);
  const AddressRange less = AddressRange::reserve(std::size_t{1} << 36, kHugePage);
  const AddressRange nothing = AddressRange::reserve(std::size_t{1} << 36, std::size_t{1} << 35);
  setrlimit(RLIMIT_AS, &unlimited);
  EXPECT_TRUE(less);
  EXPECT_GE(less.bytes(), kHugePage);
  EXPECT_LT(less.bytes(), std::size_t{1} << 35);
  EXPECT_FALSE(nothing);
}

TEST_F(GrowingMapTest, SaysWhereTheSystemRefuses) {
  GrowingMap map;
  EXPECT_EQ(map.grow({-1, kHugePage, kPartBytes}, 1), nullptr);
}

}  // namespace
}  // namespace antiphon::platform
