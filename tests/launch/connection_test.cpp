// Frames and lines over pipes.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cstring>
#include <random>

#include "wire/archive.hpp"
#include "wire/connection.hpp"

namespace antiphon::launch {
namespace {

struct Pipe {
  Pipe() {
    int ends[2];
    EXPECT_EQ(pipe2(ends, O_CLOEXEC), 0);
    reading = platform::OwnedDescriptor(ends[0]);
    writing = platform::OwnedDescriptor(ends[1]);
  }
  platform::OwnedDescriptor reading, writing;
};

void turn(Connection& connection) {
  std::vector<pollfd> polls;
  connection.append_polls(polls);
  if (poll(polls.data(), polls.size(), 0) > 0) (void)connection.handle(polls);
}

// Two connections to each other.
class Connections : public testing::Test {
 protected:
  Pipe there_, back_;
  Connection one_{std::move(back_.reading), std::move(there_.writing)};
  Connection other_{std::move(there_.reading), std::move(back_.writing)};
};

// One end is a connection; the test holds the other, and writes bytes.
class RawConnection : public testing::Test {
 protected:
  void write_bytes(std::string_view bytes) {
    ASSERT_EQ(write(in_.writing.get(), bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
    turn(connection_);
  }

  Pipe in_, out_;
  Connection connection_{std::move(in_.reading), std::move(out_.writing)};
};

std::string frame(int node, std::string_view bytes) {
  Pipe in, out;
  Connection connection(std::move(in.reading), std::move(out.writing));
  connection.send(node, bytes);
  std::string text(1 << 16, '\0');
  text.resize(static_cast<std::size_t>(read(out.reading.get(), text.data(), text.size())));
  return text;
}

TEST_F(Connections, CarryFramesOfAnySizeInOrder) {
  std::mt19937 random(1);
  const auto bytes_of = [](int number) {
    const std::size_t sizes[] = {0, 1, 10, 5000, 70'000, 1'000'000};
    return std::string(sizes[number % 6], static_cast<char>('a' + number % 26));
  };
  constexpr int kFrames = 120;
  int sent = 0, received = 0;
  while (received < kFrames) {
    while (sent < kFrames && random() % 3 != 0) {
      one_.send(sent, bytes_of(sent));
      ++sent;
    }
    turn(one_);
    turn(other_);
    while (const std::optional<Frame> got = other_.next_frame()) {
      ASSERT_EQ(got->node, received);
      ASSERT_EQ(got->bytes, bytes_of(received));
      ++received;
    }
  }
  EXPECT_EQ(one_.unsent(), 0U);
}

TEST_F(Connections, CarryLinesBeforeFrames) {
  one_.send_line("welcome");
  one_.send_line("");
  one_.send(3, "a\nb");
  turn(other_);
  EXPECT_EQ(other_.next_line(), "welcome");
  EXPECT_EQ(other_.next_line(), "");
  EXPECT_EQ(other_.next_frame()->bytes, "a\nb");
  EXPECT_FALSE(other_.next_frame());
}

TEST_F(Connections, GiveWhatCameBeforeTheEnd) {
  one_.send(1, "last words");
  one_.close();
  turn(other_);
  turn(other_);
  EXPECT_TRUE(other_.has_ended());
  EXPECT_EQ(other_.next_frame()->bytes, "last words");
  EXPECT_FALSE(other_.next_frame());
}

TEST_F(Connections, WhoseReaderIsGoneForgetWhatTheyHaveToSend) {
  signal(SIGPIPE, SIG_IGN);
  other_.close();
  one_.send(1, std::string(1 << 20, 'x'));
  EXPECT_EQ(one_.unsent(), 0U);
}

TEST_F(RawConnection, TakesFramesInPiecesOfAnySize) {
  std::string all;
  for (int number = 0; number < 5; ++number) all += frame(number, "bytes " + std::to_string(number));
  for (std::size_t piece = 1; piece <= all.size(); piece += piece < 40 ? 1 : 7) {
    int received = 0;
    for (std::size_t at = 0; at < all.size(); at += piece) {
      write_bytes(std::string_view(all).substr(at, piece));
      while (const std::optional<Frame> got = connection_.next_frame()) {
        ASSERT_EQ(got->bytes, "bytes " + std::to_string(received));
        ASSERT_EQ(got->node, received++);
      }
    }
    ASSERT_EQ(received, 5) << piece;
  }
}

TEST_F(RawConnection, RefusesWhatIsNoFrame) {
  write_bytes("a shell prints something here");
  EXPECT_THROW((void)connection_.next_frame(), Malformed);
}

TEST_F(RawConnection, RefusesAFrameThatIsTooLongBeforeItHasCome) {
  std::string text = frame(0, "x");
  const std::uint32_t most = 256 << 20;
  const auto with_length = [&](std::uint32_t bytes) {
    std::memcpy(text.data() + 8, &bytes, sizeof bytes);
    return text.substr(0, 12);
  };
  write_bytes(with_length(most));
  EXPECT_FALSE(connection_.next_frame());
  Pipe in, out;
  Connection other(std::move(in.reading), std::move(out.writing));
  for (const std::uint32_t bytes : {most + 1, ~0U}) {
    const std::string header = with_length(bytes);
    ASSERT_EQ(write(in.writing.get(), header.data(), header.size()), 12);
    turn(other);
    EXPECT_THROW((void)other.next_frame(), Malformed);
  }
}

TEST_F(RawConnection, RefusesAFrameThatDoesNotEndWhereItSays) {
  std::string text = frame(0, "some bytes");
  text.back() = 'x';
  write_bytes(text);
  EXPECT_THROW((void)connection_.next_frame(), Malformed);
}

TEST_F(RawConnection, SurvivesRandomBytes) {
  std::mt19937 random(3);
  const std::string good = frame(2, "good") + frame(3, "");
  for (int round = 0; round < 3000; ++round) {
    Pipe in, out;
    Connection connection(std::move(in.reading), std::move(out.writing));
    std::string bytes = good;
    for (auto changes = random() % 6; changes > 0; --changes)
      bytes[random() % bytes.size()] = static_cast<char>(random());
    ASSERT_GT(write(in.writing.get(), bytes.data(), bytes.size()), 0);
    turn(connection);
    try {
      while (connection.next_frame()) continue;
    } catch (const Malformed&) {
    }
  }
}

}  // namespace
}  // namespace antiphon::launch
