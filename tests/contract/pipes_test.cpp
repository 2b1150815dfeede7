// What transport/pipe.hpp promises, both ends in one thread, with blocks of several lengths; and how much memory a
// job gives its pipes.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/rng.hpp"
#include "shm_ends.hpp"

namespace antiphon::contract {
namespace {

using transport::PeerMemory;
using transport::PipeBlock;
using transport::PipeReader;
using transport::PipeWriter;

class Pipes : public testing::TestWithParam<std::uint32_t> {
 protected:
  static constexpr int kEnds = 3;
  static constexpr unsigned kNumber = 1;  // of the pipes that end 1 has

  const PipeBlock block_{.offset = GetParam(), .bytes = GetParam()};
  ShmEnds ends_{{.ends = kEnds, .pipes_each = 2}};
  PeerMemory& from_ = *ends_.end(1).memory_of(0);
  PipeReader reader_{from_.my_pipe(kNumber, block_)};

  PeerMemory& to(int sender) { return *ends_.end(sender).memory_of(1); }
  PipeWriter writer(int sender) { return PipeWriter(to(sender).their_pipe(kNumber, block_)); }
};

INSTANTIATE_TEST_SUITE_P(OfBytes, Pipes, testing::Values(4096u, 32768u, 1048576u),
                         [](const auto& size) { return std::to_string(size.param); });

TEST(PipeMemory, OfARankIsFourMiBOrItsShareOfASixteenthOfWhatIsAvailable) {
  constexpr std::uint64_t kMiB = std::uint64_t{1} << 20, kMachine = kMiB << 14;
  for (const std::uint32_t size : {2u, 3u, 16u, 64u, 300u, 8192u})
    for (const std::uint64_t available : {16 * kMiB, 64 * kMiB, 1024 * kMiB, kMachine}) {
      const auto layout = bootstrap::JobLayout::fitting(size, kMachine, available);
      EXPECT_GE(layout.pipe_bytes, std::uint64_t{32} << 10);
      EXPECT_LE(layout.pipe_bytes, 4 * kMiB);
      EXPECT_LE(layout.pipe_bytes, std::max(available / 16 / size, std::uint64_t{32} << 10));
      EXPECT_GE(layout.pipes_each(), 1u);
      EXPECT_LE(layout.pipes_each(), size - 1);
      EXPECT_EQ(layout.total_bytes(), layout.pipes_offset(0) + size * layout.pipe_bytes);
    }
  EXPECT_EQ(bootstrap::JobLayout::fitting(64, kMachine, kMachine).pipe_bytes, 4 * kMiB);
  EXPECT_EQ(bootstrap::JobLayout::fitting(64, kMachine, 64 * kMiB).pipe_bytes, kMiB / 16);
}

TEST_P(Pipes, WithTheSameMemoryDoNotShareTheirPositions) {
  PipeWriter one = writer(0), other(to(0).their_pipe(0, block_));
  one.begin();
  one.wrote(one.room(1000).size());
  other.begin();
  EXPECT_NE(one.room(1).data(), other.room(1).data());
}

// At a position that is no multiple of the new length.
TEST_P(Pipes, GoOnInOtherMemoryWhereTheyStopped) {
  PipeWriter writer = this->writer(0);
  writer.begin();
  reader_.begin();
  writer.wrote(writer.room(1000).size());
  reader_.used(reader_.ready(1000).size());
  const PipeBlock half{.offset = 0, .bytes = GetParam() / 2};
  PipeReader reader(from_.my_pipe(kNumber, half));
  writer = PipeWriter(to(2).their_pipe(kNumber, half));
  for (int message = 0; message < 20; ++message) {
    writer.begin();
    reader.begin();
    const auto room = writer.room(1000);
    ASSERT_FALSE(room.empty());
    std::ranges::fill(room, static_cast<std::byte>(message));
    writer.wrote(room.size());
    const auto ready = reader.ready(1000);
    ASSERT_EQ(ready.data(), room.data());
    ASSERT_EQ(ready.size(), room.size());
    reader.used(ready.size());
  }
}

TEST_P(Pipes, CarryMessagesOfAllSizesInOrder) {
  base::Rng rng(21);
  PipeWriter writer = this->writer(0);
  std::uint8_t next_in = 0, next_out = 0;
  for (int message = 0; message < 300; ++message) {
    const std::size_t bytes = 1 + rng.below(rng.percent(50) ? std::size_t{200} : 3 * reader_.capacity());
    writer.begin();
    reader_.begin();
    for (std::size_t written = 0, read = 0; read < bytes;) {
      if (written < bytes && rng.percent(60)) {
        const auto room = writer.room(std::min(bytes - written, 1 + rng.below(reader_.capacity())));
        for (std::byte& byte : room) byte = std::byte{next_in++};
        writer.wrote(room.size());
        written += room.size();
      } else {
        const auto ready = reader_.ready(std::min(bytes - read, 1 + rng.below(reader_.capacity())));
        for (const std::byte byte : ready) ASSERT_EQ(byte, std::byte{next_out++});
        reader_.used(ready.size());
        read += ready.size();
      }
      ASSERT_LE(read, written);
    }
    ASSERT_TRUE(reader_.ready(1).empty());
  }
}

TEST_P(Pipes, HaveNoRoomForWhatNobodyReads) {
  PipeWriter writer = this->writer(0);
  writer.begin();
  reader_.begin();
  const std::size_t piece = reader_.capacity() / 4;
  std::size_t written = 0;
  for (auto room = writer.room(piece); !room.empty(); room = writer.room(piece)) {
    ASSERT_LE(written += room.size(), reader_.capacity());
    writer.wrote(room.size());
  }
  EXPECT_GT(written, reader_.capacity() - piece);
  reader_.used(reader_.ready(piece).size());
  EXPECT_FALSE(writer.room(piece).empty());
}

TEST_P(Pipes, GoOnWithAnotherWriterWhereTheLastOneStopped) {
  for (int message = 0; message < 100; ++message) {
    PipeWriter writer = this->writer(message % 2 == 0 ? 0 : 2);
    writer.begin();
    reader_.begin();
    const auto room = writer.room(1000);
    ASSERT_FALSE(room.empty());
    std::ranges::fill(room, static_cast<std::byte>(message));
    writer.wrote(room.size());
    const auto ready = reader_.ready(1000);
    ASSERT_EQ(ready.size(), room.size());
    EXPECT_TRUE(std::ranges::all_of(ready, [&](std::byte byte) { return byte == static_cast<std::byte>(message); }));
    reader_.used(ready.size());
  }
}

// The reader is in the middle of the first message's last line when the writer begins the second.
TEST_P(Pipes, LetTheWriterGoOnWhenTheReaderBeginsTheNextMessage) {
  PipeWriter writer = this->writer(0);
  writer.begin();
  reader_.begin();
  writer.wrote(writer.room(1).size());
  reader_.used(reader_.ready(1).size());
  writer.begin();
  reader_.begin();
  EXPECT_EQ(writer.room(reader_.capacity()).size() + base::kCacheLine, reader_.capacity());
  for (std::size_t left = reader_.capacity(); left != 0;) {
    const auto room = writer.room(left);
    ASSERT_FALSE(room.empty());
    writer.wrote(room.size());
    left -= room.size();
  }
}

TEST_P(Pipes, WakeTheOtherSideIfItSleeps) {
  to(0).wake();
  EXPECT_EQ(ends_.slot(1).doorbell.rings, 0u);
  ends_.slot(1).sleeping = bootstrap::kRankAsleep;
  to(0).wake();
  EXPECT_EQ(ends_.slot(1).doorbell.rings, 1u);
  ends_.slot(0).sleeping = bootstrap::kRankAsleep;
  from_.wake();
  EXPECT_EQ(ends_.slot(0).doorbell.rings, 1u);
}

}  // namespace
}  // namespace antiphon::contract
