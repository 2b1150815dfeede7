// Random datatypes against the naive list of their elements. ANTIPHON_TYPE_SEEDS sets how many (default 400); a
// failure prints its seed, and ANTIPHON_TYPE_SEED runs that one alone.
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <cstring>

#include "datatypes/random_type.hpp"
#include "layout/build.hpp"
#include "layout/regular.hpp"

namespace antiphon {
namespace {

using layout::Layout;
using naive::Both;

constexpr std::byte kUntouched{0xa5};

// Memory for `count` of a type, with not a byte more, at both ends, than the type reaches.
class Memory {
 public:
  Memory(const naive::Type& type, std::int64_t count) {
    if (type.entries.empty() || count == 0) return;
    const std::int64_t last = (count - 1) * type.extent();
    low_ = type.true_lb() + std::min<std::int64_t>(last, 0);
    bytes_.resize(static_cast<std::size_t>(type.true_ub() + std::max<std::int64_t>(last, 0) - low_));
  }
  void fill(base::Rng& rng) {
    for (std::byte& b : bytes_) b = static_cast<std::byte>(rng.next());
  }
  void fill(std::byte value) { std::fill(bytes_.begin(), bytes_.end(), value); }
  std::byte* buffer() { return bytes_.data() - low_; }
  bool operator==(const Memory&) const = default;

 private:
  std::int64_t low_ = 0;
  std::vector<std::byte> bytes_;
};

// Cuts 0 to `total` at random places.
std::vector<std::int64_t> random_cuts(base::Rng& rng, std::int64_t total) {
  std::vector<std::int64_t> cuts{0};
  const std::int64_t longest = 1 + rng.below(std::max<std::int64_t>(total, 1));
  while (cuts.back() < total) cuts.push_back(std::min(total, cuts.back() + 1 + rng.below(longest)));
  return cuts;
}

class RandomTypesTest : public testing::Test {
 protected:
  static void check_geometry(const Both& both) {
    EXPECT_EQ(both.type->size(), both.naive.size());
    EXPECT_EQ(both.type->lb(), both.naive.lb());
    EXPECT_EQ(both.type->extent(), both.naive.extent());
    EXPECT_EQ(both.type->true_lb(), both.naive.true_lb());
    EXPECT_EQ(both.type->true_extent(), both.naive.true_ub() - both.naive.true_lb());
  }

  static void check_signature(const Both& both) {
    objects::Signature signature;
    for (const naive::Entry& entry : both.naive.entries)
      signature = signature.followed_by(objects::Signature::of(static_cast<std::uint64_t>(entry.element) << 8 |
                                                               static_cast<std::uint64_t>(entry.bytes)));
    EXPECT_EQ(both.type->signature(), signature);
  }

  static void check_elements(const Both& both) {
    std::int64_t elements = 0, bytes = 0;
    for (int round = 0; round < 2; ++round)
      for (const naive::Entry& entry : both.naive.entries) {
        ASSERT_EQ(objects::elements_in(*both.type, bytes), elements);
        ASSERT_EQ(objects::bytes_of(*both.type, elements), bytes);
        if (entry.bytes > 1) {
          ASSERT_EQ(objects::elements_in(*both.type, bytes + 1), -1);
        }
        bytes += entry.bytes;
        ++elements;
      }
  }

  static void check_moves(const Both& both, base::Rng& rng) {
    const std::int64_t count = rng.percent(50) ? 1 : rng.below(4);
    const Layout& layout = both.type->layout();
    Memory memory(both.naive, count);
    memory.fill(rng);
    const std::vector<std::byte> expected = both.naive.pack(memory.buffer(), count);
    const auto total = static_cast<std::int64_t>(expected.size());
    std::vector<std::byte> packed(expected.size());

    layout.pack(memory.buffer(), count, {0, total}, packed.data());
    ASSERT_EQ(packed, expected);

    // Two halves, split everywhere, or at many places where there are many; and at every place a little before it and
    // a little behind it.
    const std::int64_t step = 1 + total / 300;
    for (std::int64_t split = rng.below(step); split <= total; split += step) {
      std::fill(packed.begin(), packed.end(), kUntouched);
      layout.pack(memory.buffer(), count, {split, total - split}, packed.data() + split);
      layout.pack(memory.buffer(), count, {0, split}, packed.data());
      ASSERT_EQ(packed, expected) << "split at " << split;
    }
    constexpr std::int64_t kNear = 70;  // bytes: more than a kernel moves at once
    for (std::int64_t split = 0; split <= total; ++split) {
      const std::int64_t begin = std::max<std::int64_t>(split - kNear, 0), end = std::min(split + kNear, total);
      std::array<std::byte, 2 * kNear> near;
      layout.pack(memory.buffer(), count, {begin, split - begin}, near.data());
      layout.pack(memory.buffer(), count, {split, end - split}, near.data() + (split - begin));
      ASSERT_EQ(std::memcmp(near.data(), expected.data() + begin, static_cast<std::size_t>(end - begin)), 0)
          << "split at " << split;
    }
    check_pieces(layout, memory, count, expected, rng);
    if (!both.naive.overlaps(count)) check_unpack(both, count, expected, rng);
  }

  static void check_pieces(const Layout& layout, Memory& memory, std::int64_t count,
                           const std::vector<std::byte>& expected, base::Rng& rng) {
    const auto total = static_cast<std::int64_t>(expected.size());
    std::vector<std::byte> gathered;
    std::vector<layout::Piece> pieces(1 + rng.below(std::size_t{20}));
    for (std::int64_t done = 0; done < total;) {
      std::int64_t covered = 0;
      const std::size_t listed = layout.pieces(memory.buffer(), count, {done, total - done}, pieces, &covered);
      ASSERT_GT(covered, 0);
      for (std::size_t i = 0; i < listed; ++i)
        gathered.insert(gathered.end(), pieces[i].begin, pieces[i].begin + pieces[i].bytes);
      done += covered;
      ASSERT_EQ(static_cast<std::int64_t>(gathered.size()), done);
    }
    ASSERT_EQ(gathered, expected);
  }

  // Whole, in windows, and the beginning alone: the right bytes are written, and no other.
  static void check_unpack(const Both& both, std::int64_t count, const std::vector<std::byte>& packed,
                           base::Rng& rng) {
    const Layout& layout = both.type->layout();
    const auto total = static_cast<std::int64_t>(packed.size());
    const auto expect = [&](std::int64_t bytes, auto&& unpack) {
      Memory wanted(both.naive, count), got(both.naive, count);
      wanted.fill(kUntouched);
      got.fill(kUntouched);
      both.naive.unpack(packed.data(), bytes, wanted.buffer(), count);
      unpack(got.buffer());
      ASSERT_TRUE(got == wanted);
    };
    expect(total, [&](std::byte* buffer) { layout.unpack(buffer, count, {0, total}, packed.data()); });
    expect(total, [&](std::byte* buffer) {
      const std::vector<std::int64_t> cuts = random_cuts(rng, total);
      for (std::size_t i = 1; i < cuts.size(); ++i)
        layout.unpack(buffer, count, {cuts[i - 1], cuts[i] - cuts[i - 1]}, packed.data() + cuts[i - 1]);
    });
    const std::int64_t some = total == 0 ? 0 : rng.below(total);
    expect(some, [&](std::byte* buffer) { layout.unpack(buffer, count, {0, some}, packed.data()); });
  }

  // What can be told in a few words packs the same where it has been told.
  static void check_regular(const Both& both, base::Rng& rng) {
    const std::int64_t count = 1 + rng.below(3);
    const layout::Placed all = layout::repeat(both.type->layout().one(), count, both.type->extent());
    const std::optional<layout::Regular> told = layout::regular(all);
    if (!told || all.size == 0) return;
    Memory memory(both.naive, count);
    memory.fill(rng);
    const std::vector<std::byte> expected = both.naive.pack(memory.buffer(), count);
    std::vector<std::byte> packed(expected.size());
    const auto total = static_cast<std::int64_t>(packed.size());
    Layout(layout::placed(*told), 0).pack(memory.buffer(), 1, {0, total}, packed.data());
    EXPECT_EQ(packed, expected);
    const std::int64_t last = (count - 1) * both.naive.extent();
    EXPECT_EQ(told->low(), both.naive.true_lb() + std::min<std::int64_t>(last, 0));
    EXPECT_EQ(told->high(), both.naive.true_ub() + std::max<std::int64_t>(last, 0));
  }

  static void run_seed(std::uint64_t seed) {
    SCOPED_TRACE("ANTIPHON_TYPE_SEED=" + std::to_string(seed));
    base::Rng rng(seed);
    const Both both = naive::RandomType(rng).make(1 + static_cast<int>(seed % 6));
    check_geometry(both);
    check_signature(both);
    check_elements(both);
    both.type->commit();
    check_moves(both, rng);
    check_regular(both, rng);
  }
};

TEST_F(RandomTypesTest, agree_with_the_list_of_their_elements) {
  if (const char* one = std::getenv("ANTIPHON_TYPE_SEED")) return run_seed(std::strtoull(one, nullptr, 10));
  const char* wanted = std::getenv("ANTIPHON_TYPE_SEEDS");
  const std::uint64_t usual = std::getenv("ANTIPHON_TEST_LONG") ? 4000 : 400;
  const std::uint64_t seeds = wanted ? std::strtoull(wanted, nullptr, 10) : usual;
  for (std::uint64_t seed = 0; seed < seeds && !HasFailure(); ++seed) run_seed(seed);
}

}  // namespace
}  // namespace antiphon
