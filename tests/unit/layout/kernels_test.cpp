// Every kernel that this CPU can run against copying byte by byte: lengths, strides in both directions, and counts
// around the widths of vectors, in memory that ends where the last block does.
#include "layout/kernels.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <numeric>
#include <ostream>
#include <system_error>
#include <vector>

#include "base/rng.hpp"
#include "layout/uncached.hpp"

namespace antiphon::layout {

static const char* name_of(Vectors vectors) {
  return vectors == Vectors::baseline ? "baseline" : vectors == Vectors::avx2 ? "avx2" : "avx512";
}
static void PrintTo(Vectors vectors, std::ostream* to) { *to << name_of(vectors); }

namespace {

constexpr std::byte kUntouched{0xa5};
constexpr std::int64_t kBlocks[] = {1,  2,  3,  4,  5,  6,  7,  8,   9,   12,  15,  16,   17,   24,   31,  32,
                                    33, 40, 48, 63, 64, 65, 96, 100, 128, 129, 176, 1000, 1023, 1024, 1500};
constexpr std::int64_t kCounts[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 18, 31, 33, 64, 65, 67, 100, 257};

std::vector<std::byte> noise(std::size_t bytes) {
  base::Rng rng(bytes);
  std::vector<std::byte> data(bytes);
  for (std::byte& b : data) b = static_cast<std::byte>(rng.next());
  return data;
}

class KernelsTest : public testing::TestWithParam<Vectors> {
 protected:
  void SetUp() override {
    if (GetParam() > best_vectors()) GTEST_SKIP() << "not on this CPU";
  }
};

void check_strided(const StridedKernel& kernel, std::int64_t block, std::int64_t stride, std::int64_t count) {
  SCOPED_TRACE(testing::Message() << count << " blocks of " << block << ", stride " << stride);
  const std::int64_t last = count == 0 ? 0 : (count - 1) * stride, low = std::min<std::int64_t>(last, 0);
  const std::int64_t span = count == 0 ? 0 : std::abs(last) + block;
  const std::vector<std::byte> memory = noise(static_cast<std::size_t>(span));
  std::vector<std::byte> expected;
  for (std::int64_t i = 0; i < count; ++i)
    for (std::int64_t b = 0; b < block; ++b)
      expected.push_back(memory[static_cast<std::size_t>(i * stride - low + b)]);
  for (const StridedKernel::Pack pack : {kernel.pack, kernel.pack_streamed})
    for (const std::size_t shift : {0u, 1u, 4u, 8u, 24u}) {  // where a line begins, or a word, or neither
      if (!pack) continue;
      std::vector<std::byte> around(expected.size() + 128, kUntouched), wanted = around;
      std::byte* const line = around.data() + -reinterpret_cast<std::uintptr_t>(around.data()) % 64;
      pack(line + shift, memory.data() - low, count, stride, block);
      settle();
      std::copy(expected.begin(), expected.end(), wanted.data() + (line - around.data()) + shift);
      ASSERT_EQ(around, wanted) << (pack == kernel.pack ? "" : "streamed, ") << "to " << shift;
    }

  if (std::abs(stride) < block) return;
  std::vector<std::byte> wanted(memory.size(), kUntouched), got = wanted;
  for (std::int64_t i = 0; i < count * block; ++i)
    wanted[static_cast<std::size_t>(i / block * stride - low + i % block)] = expected[static_cast<std::size_t>(i)];
  kernel.unpack(expected.data(), got.data() - low, count, stride, block);
  ASSERT_EQ(got, wanted);
  if (!kernel.unpack_far) return;
  std::fill(got.begin(), got.end(), kUntouched);
  kernel.unpack_far(expected.data(), got.data() - low, count, stride, block);
  ASSERT_EQ(got, wanted);
}

TEST_P(KernelsTest, move_strided_blocks) {
  for (const std::int64_t block : kBlocks)
    for (const std::int64_t stride : {block, block + 1, block + 3, 2 * block, 3 * block, std::int64_t{16},
                                      std::int64_t{64}, std::int64_t{2048}, -2 * block, -block - 5, std::int64_t{0}})
      for (const std::int64_t count : kCounts) {
        check_strided(strided_kernel(block, stride, GetParam()), block, stride, count);
        if (HasFatalFailure()) return;
      }
}

// A page of memory between two that may not be touched.
class LonelyPage {
 public:
  static constexpr std::size_t kBytes = 4096;

  LonelyPage()
      : pages_(static_cast<std::byte*>(mmap(nullptr, 3 * kBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
    if (pages_ == MAP_FAILED || mprotect(begin(), kBytes, PROT_READ | PROT_WRITE) != 0)
      throw std::system_error(errno, std::generic_category());
  }
  LonelyPage(const LonelyPage&) = delete;
  LonelyPage& operator=(const LonelyPage&) = delete;
  ~LonelyPage() { munmap(pages_, 3 * kBytes); }

  [[nodiscard]] std::byte* begin() const { return pages_ + kBytes; }
  [[nodiscard]] std::byte* end() const { return begin() + kBytes; }

 private:
  std::byte* pages_;
};

TEST_P(KernelsTest, pack_every_second_word_from_anywhere_in_a_line) {
  const LonelyPage page;
  const std::vector<std::byte> data = noise(LonelyPage::kBytes);
  std::copy(data.begin(), data.end(), page.begin());
  for (const std::int64_t word : {4, 8, 16})
    for (const std::int64_t count : {1, 17, 64, 65, 100, 101, 126})
      for (std::int64_t shift = 0; shift < 64; ++shift)
        for (const std::byte* memory : {page.begin() + shift, page.end() - shift - (2 * count - 1) * word}) {
          std::vector<std::byte> wanted, packed(static_cast<std::size_t>(count * word) + 8);
          for (std::int64_t i = 0; i < count; ++i)
            wanted.insert(wanted.end(), memory + 2 * i * word, memory + (2 * i + 1) * word);
          for (const std::int64_t to : {0, 8}) {
            strided_kernel(word, 2 * word, GetParam()).pack(packed.data() + to, memory, count, 2 * word, word);
            ASSERT_TRUE(std::equal(wanted.begin(), wanted.end(), packed.begin() + to))
                << count << " words of " << word << " from " << memory - page.begin() << " to " << to;
          }
        }
}

TEST_P(KernelsTest, move_rows_of_what_exceeds_the_caches) {
  for (const std::int64_t block : {std::int64_t{32}, std::int64_t{40}, std::int64_t{100}, std::int64_t{1024}})
    check_strided(strided_kernel(block, 8192, GetParam()), block, 8192, 300);
}

template <class Displacement>
void check_listed(Vectors vectors, std::int64_t block, std::int64_t count) {
  SCOPED_TRACE(testing::Message() << count << " blocks of " << block);
  // In no order, with gaps, and before the buffer's address as well as behind it.
  std::vector<Displacement> displacements;
  const std::int64_t low = -count / 2 * (block + 3);
  for (std::int64_t i = 0; i < count; ++i) displacements.push_back(static_cast<Displacement>(low + i * (block + 3)));
  base::Rng(static_cast<std::uint64_t>(count)).shuffle(displacements);
  const std::vector<std::byte> memory = noise(static_cast<std::size_t>(count * (block + 3)));
  std::vector<std::byte> expected, packed(static_cast<std::size_t>(count * block), kUntouched);
  std::vector<std::byte> wanted(memory.size(), kUntouched), got = wanted;
  for (const Displacement displacement : displacements)
    for (std::int64_t b = 0; b < block; ++b) {
      const auto at = static_cast<std::size_t>(displacement - low + b);
      expected.push_back(memory[at]);
      wanted[at] = memory[at];
    }
  const ListedKernel<Displacement> kernel = listed_kernel<Displacement>(block, vectors);
  kernel.pack(packed.data(), memory.data() - low, displacements.data(), count, block);
  ASSERT_EQ(packed, expected);
  kernel.unpack(packed.data(), got.data() - low, displacements.data(), count, block);
  ASSERT_EQ(got, wanted);
}

TEST_P(KernelsTest, move_listed_blocks) {
  for (const std::int64_t block : kBlocks)
    for (const std::int64_t count : kCounts) {
      check_listed<std::int32_t>(GetParam(), block, count);
      check_listed<std::int64_t>(GetParam(), block, count);
      if (HasFatalFailure()) return;
    }
}

TEST_P(KernelsTest, move_patterns) {
  const PatternKernel kernel = pattern_kernel(GetParam());
  if (!kernel.pack) GTEST_SKIP() << "patterns are moved block by block on this CPU";
  base::Rng rng(7);
  for (int round = 0; round < 3000; ++round) {
    const std::int64_t stride = 1 + rng.below(64);
    std::uint64_t mask = rng.next() & (~std::uint64_t{0} >> (64 - stride));
    if (mask == 0) mask = 1;
    const std::int64_t count = rng.pick(kCounts);
    SCOPED_TRACE(testing::Message() << count << " times " << std::hex << mask << " of " << std::dec << stride);
    // Memory ends with the last byte of the last period.
    const std::int64_t span = count == 0 ? 0 : (count - 1) * stride + 64 - std::countl_zero(mask);
    const std::vector<std::byte> memory = noise(static_cast<std::size_t>(span));
    std::vector<std::byte> expected, wanted(memory.size(), kUntouched), got = wanted;
    for (std::size_t at = 0; at < memory.size(); ++at)
      if ((mask >> at % static_cast<std::size_t>(stride) & 1) != 0) {
        expected.push_back(memory[at]);
        wanted[at] = memory[at];
      }
    std::vector<std::byte> packed(expected.size(), kUntouched);
    kernel.pack(packed.data(), memory.data(), count, stride, mask);
    ASSERT_EQ(packed, expected);
    kernel.unpack(packed.data(), got.data(), count, stride, mask);
    ASSERT_EQ(got, wanted);
  }
}

INSTANTIATE_TEST_SUITE_P(all, KernelsTest, testing::Values(Vectors::baseline, Vectors::avx2, Vectors::avx512),
                         [](const auto& vectors) { return name_of(vectors.param); });

}  // namespace
}  // namespace antiphon::layout
