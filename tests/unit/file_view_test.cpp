#include "objects/file_view.hpp"

#include <gtest/gtest.h>

#include <array>
#include <map>

#include "base/error.hpp"
#include "base/rng.hpp"
#include "engine/io/strided_runs.hpp"
#include "objects/element.hpp"

namespace antiphon::objects {
namespace {

Ref<Datatype> bytes_of(std::int64_t size) {
  auto made = Ref<Datatype>::adopt(
      new Datatype(Element::byte, basics_of(Element::byte, static_cast<std::size_t>(size), 0), 1, "a test's type"));
  return made;
}

Ref<Datatype> byte_type() { return bytes_of(1); }

// Blocks of bytes at displacements, with an extent.
Ref<Datatype> blocks(const std::vector<std::pair<std::int64_t, std::int64_t>>& all, std::int64_t extent) {
  Recipe indexed{
      .combiner = abi::COMBINER_HINDEXED, .numbers = {static_cast<std::int64_t>(all.size())}, .types = {byte_type()}};
  for (const auto& [start, length] : all) indexed.numbers.push_back(length);
  for (const auto& [start, length] : all) indexed.numbers.push_back(start);
  auto inner = Ref<Datatype>::adopt(new Datatype(std::move(indexed)));
  auto made = Ref<Datatype>::adopt(
      new Datatype(Recipe{.combiner = abi::COMBINER_RESIZED, .numbers = {0, extent}, .types = {inner}}));
  made->commit();
  return made;
}

// The offsets of the first bytes of a view, one by one.
std::vector<std::int64_t> offsets(const FileView& view, std::int64_t position, std::int64_t bytes) {
  std::vector<std::int64_t> found;
  std::array<FileView::Run, 3> runs;
  while (bytes != 0) {
    std::int64_t covered = 0;
    const std::size_t count = view.runs(position, bytes, runs, &covered);
    for (std::size_t i = 0; i < count; ++i)
      for (std::int64_t k = 0; k < runs[i].bytes; ++k) found.push_back(runs[i].offset + k);
    position += covered;
    bytes -= covered;
  }
  return found;
}

TEST(FileView, ListsTheBytesThatANaiveListHas) {
  base::Rng random(1);
  for (int round = 0; round < 300; ++round) {
    std::vector<std::pair<std::int64_t, std::int64_t>> all;
    std::int64_t at = random.below(5);
    for (int i = 1 + random.below(5); i > 0; --i) {
      all.emplace_back(at, 1 + random.below(6));
      at += all.back().second + random.below(4);
    }
    const std::int64_t extent = at + random.below(5), displacement = random.below(100);
    std::vector<std::int64_t> naive;
    for (std::int64_t tile = 0; tile < 8; ++tile)
      for (const auto& [start, length] : all)
        for (std::int64_t k = 0; k < length; ++k) naive.push_back(displacement + tile * extent + start + k);
    const FileView view(displacement, byte_type(), blocks(all, extent), "native");
    EXPECT_TRUE(view.is_ascending());
    const auto bytes = static_cast<std::int64_t>(naive.size());
    const std::int64_t from = random.below(bytes), length = random.below(bytes - from);
    EXPECT_EQ(offsets(view, from, length),
              std::vector<std::int64_t>(naive.begin() + from, naive.begin() + from + length));
    EXPECT_EQ(view.offset_of(from), naive[static_cast<std::size_t>(from)]);
    const std::int64_t sought = random.below(naive.back());
    const auto first = std::lower_bound(naive.begin(), naive.end(), sought) - naive.begin();
    EXPECT_EQ(view.first_at(sought, 0, bytes), first);
    EXPECT_EQ(view.first_etype_at(sought), first);
  }
}

TEST(FileView, OfBytesIsContiguous) {
  const FileView view(10, byte_type(), byte_type(), "native");
  EXPECT_TRUE(view.is_contiguous());
  EXPECT_EQ(view.offset_of(std::int64_t{1} << 40), (std::int64_t{1} << 40) + 10);
  EXPECT_EQ(view.first_etype_at(5), 0);
  EXPECT_EQ(view.first_etype_at(25), 15);
}

TEST(FileView, IsNotAscendingWhereItOverlapsItself) {
  EXPECT_FALSE(FileView(0, byte_type(), blocks({{0, 4}, {2, 4}}, 10), "native").is_ascending());
  EXPECT_FALSE(FileView(0, byte_type(), blocks({{0, 1}, {8, 1}}, 2), "native").is_ascending());
}

TEST(FileView, RefusesPositionsWhoseOffsets64BitsCannotCount) {
  const FileView view(0, byte_type(), blocks({{0, 1}}, 1000), "native");
  EXPECT_NO_THROW(view.need_reachable(std::int64_t{1} << 40, 1));
  EXPECT_THROW(view.need_reachable(std::int64_t{1} << 60, 1), base::Error);
  EXPECT_THROW(view.need_reachable(INT64_MAX, 1), base::Error);
}

TEST(Filetype, MustNotDecreaseNorOverlapWhereItMayBeWritten) {
  EXPECT_NO_THROW(check_filetype(*byte_type(), *blocks({{0, 2}, {5, 1}}, 10), false));
  EXPECT_THROW(check_filetype(*byte_type(), *blocks({{5, 1}, {0, 2}}, 10), true), base::Error);
  EXPECT_THROW(check_filetype(*byte_type(), *blocks({{-1, 1}}, 10), true), base::Error);
  EXPECT_THROW(check_filetype(*byte_type(), *blocks({{0, 4}, {2, 4}}, 10), false), base::Error);
  EXPECT_NO_THROW(check_filetype(*byte_type(), *blocks({{0, 4}, {2, 4}}, 10), true));
}

}  // namespace
}  // namespace antiphon::objects

namespace antiphon::io {
namespace {

using FileRun = objects::FileView::Run;

TEST(StridedRuns, OfARegularPatternAreOneEntry) {
  RunList list;
  for (std::int64_t i = 0; i < 1000; ++i) append(list, {100 + 64 * i, 16});
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].count, 1000);
  EXPECT_EQ(list[0].stride, 64);
  EXPECT_EQ(list[0].total(), 16000);
  EXPECT_EQ(list[0].end(), 100 + 64 * 999 + 16);
}

TEST(StridedRuns, OfAllRanksCoverWhatANaiveSetHas) {
  base::Rng random(2);
  for (int round = 0; round < 500; ++round) {
    // Ranks with pieces of one pattern, some of which miss some of theirs.
    const std::int64_t ranks = 1 + random.below(5), piece = 1 + random.below(8), gap = random.below(3) * piece;
    std::map<std::int64_t, bool> naive;
    RunList all;
    for (std::int64_t rank = 0; rank < ranks; ++rank) {
      RunList own;
      const std::int64_t stride = ranks * piece + gap, count = random.below(20);
      for (std::int64_t i = random.below(3); i < count; ++i) {
        if (random.percent(5)) continue;
        append(own, {rank * piece + i * stride, piece});
        for (std::int64_t k = 0; k < piece; ++k) naive[rank * piece + i * stride + k] = true;
      }
      all.insert(all.end(), own.begin(), own.end());
    }
    random.shuffle(all);
    std::map<std::int64_t, bool> covered;
    std::int64_t last = -1;
    for (const FileRun& run : covered_by(all)) {
      EXPECT_GT(run.offset, last);
      for (std::int64_t k = 0; k < run.bytes; ++k) covered[run.offset + k] = true;
      last = run.end();
    }
    EXPECT_EQ(covered, naive);
  }
}

TEST(StridedRuns, AreCopiedToTheirPlacesAndBack) {
  const RunList list{{100, 3, 7, 40}, {500, 5, 0, 1}, {510, 2, 4, 3}};
  std::vector<std::byte> packed(131), image(500), back(131);
  for (std::size_t i = 0; i < packed.size(); ++i) packed[i] = static_cast<std::byte>(i + 1);
  scatter(list, packed.data(), image.data(), 50);
  EXPECT_EQ(image[50], packed[0]);
  EXPECT_EQ(image[53], std::byte{0});
  EXPECT_EQ(image[50 + 7 * 39 + 2], packed[119]);
  EXPECT_EQ(image[450], packed[120]);
  EXPECT_EQ(image[468], packed[129]);
  gather(list, image.data(), 50, back.data());
  EXPECT_EQ(back, packed);
  EXPECT_EQ(bytes_before(list, 100), 0);
  EXPECT_EQ(bytes_before(list, 109), 5);
  EXPECT_EQ(bytes_before(list, 503), 123);
  EXPECT_EQ(bytes_before(list, 10'000), 131);
  std::int64_t first = 0;
  for (const StridedRuns& runs : first_of(list, 125)) first += runs.total();
  EXPECT_EQ(first, 125);
}

}  // namespace
}  // namespace antiphon::io
