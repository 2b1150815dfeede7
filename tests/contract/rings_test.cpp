// Who gets a ring of his own, and that nothing is lost or overtaken while rings change hands.
#include <cstdlib>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "base/rng.hpp"
#include "packets.hpp"
#include "shm_ends.hpp"
#include "sleeper.hpp"
#include "transport/shm/shared_ring_writer.hpp"
#include "watchdog.hpp"

namespace antiphon::contract {
namespace {

using transport::SendStatus;

constexpr int kMuch = 8;
constexpr int kMany = 64;

// Ends of which each may send a packet to end 0, and which all look at what has come.
class Party {
 public:
  explicit Party(const ShmSetup& setup) : ends_(setup), counter_(setup.ends) {
    for (int me = 1; me < setup.ends; ++me) channels_.push_back(ends_.end(me).connect(0));
  }
  ShmEnds& ends() { return ends_; }
  void send(int from) {
    EXPECT_EQ(channels_[static_cast<std::size_t>(from - 1)]->try_send({}, {}), SendStatus::sent);
  }
  // The receiver, and then the one that it may have asked for something.
  void look(int sender) {
    ends_.end(0).poll(counter_.dispatcher());
    ends_.end(sender).poll(counter_.dispatcher());
  }
  // How many packets `from` sends until it has a ring.
  int packets_until_ring(int from) {
    for (int packets = 0; packets < 1000; ++packets) {
      if (ends_.has_ring(from, 0)) return packets;
      send(from);
      for (int sender = 1; sender <= static_cast<int>(channels_.size()); ++sender) look(sender);
    }
    return 1000;
  }
  int rings_given() {
    int given = 0;
    for (int from = 1; from <= static_cast<int>(channels_.size()); ++from) given += ends_.has_ring(from, 0) ? 1 : 0;
    return given;
  }

 private:
  ShmEnds ends_;
  Counter counter_;
  std::vector<std::unique_ptr<transport::Channel>> channels_;
};

TEST(Rings, AreGivenAfterFewPackets) {
  Party party({.ends = kMany, .rings_each = 4, .much = kMuch});
  EXPECT_LE(party.packets_until_ring(7), kMuch + 1);
}

TEST(Rings, AreNotGivenWhereAllSendAlike) {
  Party party({.ends = kMany, .rings_each = 16, .much = kMuch});
  for (int round = 0; round < 100; ++round)
    for (int from = 1; from < kMany; ++from) {
      party.send(from);
      party.look(from);
    }
  EXPECT_EQ(party.rings_given(), 0);
}

TEST(Rings, AreGivenAfterFewPacketsWhenAllHaveSentAlike) {
  Party party({.ends = kMany, .rings_each = 16, .much = kMuch});
  for (int round = 0; round < 100; ++round)
    for (int from = 1; from < kMany; ++from) {
      party.send(from);
      party.look(from);
    }
  EXPECT_LE(party.packets_until_ring(kMany / 2), kMuch + 1);
}

TEST(Rings, AreTakenFromThoseWhoSendNoLonger) {
  constexpr int kRings = 4;
  Party party({.ends = kMany, .rings_each = kRings, .much = kMuch});
  for (int from = 1; from <= kRings; ++from) EXPECT_LE(party.packets_until_ring(from), kMuch + 1);
  EXPECT_EQ(party.rings_given(), kRings);
  for (int from = kRings + 1; from < kMany; ++from) EXPECT_LE(party.packets_until_ring(from), 64);
  EXPECT_EQ(party.rings_given(), kRings);
}

TEST(Rings, AreNotTakenFromThoseWhoSend) {
  Party party({.ends = 3, .rings_each = 1, .much = kMuch});
  EXPECT_LE(party.packets_until_ring(1), kMuch + 1);
  for (int packet = 0; packet < 1000; ++packet) {
    party.send(1);
    party.send(2);
    party.look(1);
    party.look(2);
    ASSERT_TRUE(party.ends().has_ring(1, 0));
  }
}

TEST(Rings, ThatWereOfferedAndNotTakenGoToOthers) {
  Party party({.ends = 3, .rings_each = 1, .much = kMuch});
  for (int packet = 0; packet < kMuch; ++packet) party.send(1);
  party.look(1);  // offers it; but the sender has nothing more to send
  EXPECT_LE(party.packets_until_ring(2), 64);
  EXPECT_FALSE(party.ends().has_ring(1, 0));
  party.send(1);
  party.look(1);
}

// Each of the senders' streams, numbered by their threads together, must arrive in order.
class Streams {
 public:
  explicit Streams(int sources) : next_(static_cast<std::size_t>(sources)) {
    dispatcher_.on<&Streams::take>(kHandler, *this);
  }
  const transport::Dispatcher& dispatcher() const { return dispatcher_; }
  std::uint64_t taken() const { return taken_; }

 private:
  void take(int source, const transport::PacketHeader& header, transport::Payload payload) {
    std::uint64_t& next = next_[static_cast<std::size_t>(source)];
    EXPECT_EQ(header.word[0], next);
    EXPECT_TRUE(payload.empty() ||
                std::memcmp(payload.data(), content_of(next, payload.size()), payload.size()) == 0);
    ++next;
    ++taken_;
  }

  transport::Dispatcher dispatcher_;
  std::vector<std::uint64_t> next_;
  std::atomic<std::uint64_t> taken_ = 0;
};

// Senders that send in bursts, of which each may be long enough for a ring, of which there are few; they sleep when
// there is no room, and the receiver when there is nothing. The threads of one sender take turns, packet by packet.
void change_hands(int senders, int threads_each, int rings, std::uint64_t each) {
  ShmEnds ends({.threads = threads_each > 1, .ends = senders + 1, .rings_each = rings, .much = 4});
  Streams streams(senders + 1);
  std::atomic<std::uint64_t> received = 0;
  std::atomic<int> rings_seen = 0;
  const Watchdog watchdog("senders whose rings change hands", received);
  struct Sender {
    std::unique_ptr<transport::Channel> channel;
    std::mutex turn;
    std::uint64_t number = 0;
    bool had_ring = false;
  };
  std::vector<Sender> all(static_cast<std::size_t>(senders));
  std::vector<std::thread> threads;
  for (int me = 1; me <= senders; ++me) {
    Sender& sender = all[static_cast<std::size_t>(me - 1)];
    sender.channel = ends.end(me).connect(0);
    for (int thread = 0; thread < threads_each; ++thread)
      threads.emplace_back([&, me, thread] {
        base::Rng rng(static_cast<std::uint64_t>(me * 100 + thread));
        const transport::Dispatcher nothing;
        for (bool done = false; !done;) {
          for (int burst = rng.below(200); burst > 0 && !done; --burst) {
            const std::lock_guard held(sender.turn);
            if ((done = sender.number == each)) break;
            const std::size_t bytes = rng.percent(80) ? rng.below(25u) : rng.below(4097u);
            const transport::PacketHeader header{.handler = kHandler, .word = {sender.number, 0}};
            while (sender.channel->try_send(header, {content_of(sender.number, bytes), bytes}) != SendStatus::sent) {
              ends.end(me).poll(nothing);
              std::this_thread::yield();
            }
            ++sender.number;
            const bool has_ring = ends.has_ring(me, 0);
            if (has_ring != sender.had_ring) rings_seen += has_ring ? 1 : 0;
            sender.had_ring = has_ring;
          }
          for (int looks = rng.below(50); looks > 0; --looks) {
            ends.end(me).poll(nothing);
            std::this_thread::yield();
          }
        }
        while (streams.taken() < each * static_cast<std::uint64_t>(senders)) {  // somebody may want its ring
          ends.end(me).poll(nothing);
          std::this_thread::yield();
        }
      });
  }
  while (streams.taken() < each * static_cast<std::uint64_t>(senders)) {
    if (!ends.end(0).poll(streams.dispatcher())) std::this_thread::yield();
    received = streams.taken();
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_GT(rings_seen, senders) << "rings hardly changed hands: nothing was tested";
}

TEST(Rings, KeepTheOrderWhenTheyChangeHands) { change_hands(4, 1, 1, 50'000); }
TEST(Rings, KeepTheOrderWhenSeveralChangeHands) { change_hands(6, 1, 2, 30'000); }
TEST(Rings, KeepTheOrderOfManyThreadsWhenTheyChangeHands) { change_hands(3, 3, 1, 30'000); }

// Memory for one ring.
constexpr std::size_t kBytes = sizeof(transport::shm::RingArea) + (std::size_t{32} << 10);
std::unique_ptr<std::byte[], decltype(&std::free)> make_area() {
  auto* const area = static_cast<std::byte*>(std::aligned_alloc(base::kCacheLinePair, kBytes));
  return {static_cast<std::byte*>(std::memset(area, 0, kBytes)), std::free};
}

// Of one writer: quarters of cells, whole ones and such with a payload elsewhere after each other, read by and by,
// some only when they are offered again; and one writer after the other.
TEST(Rings, PassPacketsOfAllLengths) {
  using namespace transport::shm;
  const auto area = make_area();
  base::Rng rng(1);
  std::uint64_t written = 0, read = 0;
  const auto bytes_of = [](std::uint64_t number) { return number % 5 == 0 ? number % 3000 : number % 11; };
  const auto header_of = [&](std::uint64_t number) {
    return transport::PacketHeader{.handler = static_cast<std::uint8_t>(number / 16 + 1),  // like that before, mostly
                                   .context = static_cast<std::uint32_t>(number / 16),
                                   .tag = static_cast<std::int32_t>(number % 32 / 13),
                                   .word = {bytes_of(number), number % 7 == 0 ? number : 0}};
  };
  for (int round = 0; round < 200; ++round) {
    const std::optional<Written> fixed[] = {Written::as_ever, Written::past_caches, {}};
    RingWriter writer(area.get(), kBytes, 0, fixed[round % 3]);
    RingReader reader(area.get(), kBytes);
    bool left = false;
    Receipt receipt;
    for (const std::uint64_t end = written + rng.below(std::uint64_t{600}); !left;) {
      for (auto burst = rng.below(20); burst != 0 && written != end; --burst) {
        const transport::Payload payload{content_of(written, bytes_of(written)), bytes_of(written)};
        if (!writer.try_write_short(header_of(written), payload) && !writer.try_write(header_of(written), payload))
          break;
        ++written;
      }
      if (written == end && writer.has_ring()) std::ignore = writer.try_leave();
      bool refused = false, freed = false;
      const auto use = [&](const Cell&, const transport::PacketHeader& header, transport::Payload payload) {
        refused = rng.below(8) == 0;
        if (refused) return false;
        const transport::PacketHeader expected = header_of(read);
        EXPECT_EQ(std::memcmp(&header, &expected, sizeof header), 0);
        EXPECT_EQ(payload.size(), bytes_of(read));
        EXPECT_EQ(std::memcmp(payload.data(), content_of(read, payload.size()), payload.size()), 0);
        ++read;
        return true;
      };
      if (rng.below(4) == 0) writer.take(receipt);  // of the look before
      const std::uint64_t before = reader.quarters();
      const int most = rng.below(12);
      const int used = reader.read(
          most, use, [&](const Cell&) { left = true; }, &freed);
      EXPECT_EQ(reader.quarters() != before, used != 0);
      EXPECT_LE(read, written);
      if (rng.below(2) == 0) writer.take(receipt);
      receipt = {.payload_bytes = reader.payload_bytes(), .ring = 1};
      if (!left) {
        EXPECT_TRUE(read == written || reader.watch().changed());
      }
      if (used < most && !refused && !left) {
        EXPECT_EQ(read, written);
        EXPECT_FALSE(reader.watch().changed());
      }
    }
    EXPECT_EQ(read, written);
    reader.tell();
    if (testing::Test::HasFailure()) return;
  }
}

// How far the reader is after each packet, in quarters of a cell.
TEST(Rings, PutUpToFourShortPacketsIntoACell) {
  using namespace transport::shm;
  const auto area = make_area();
  RingWriter writer(area.get(), kBytes);
  RingReader reader(area.get(), kBytes);
  const auto send = [&](int tag, std::size_t bytes, std::uint64_t word = 0) {
    const transport::PacketHeader header{.handler = 1, .tag = tag, .word = {bytes, word}};
    const transport::Payload sent{content_of(bytes, bytes), bytes};
    EXPECT_TRUE(writer.try_write_short(header, sent) || writer.try_write(header, sent));
    bool freed = false;
    const auto use = [&](const Cell&, const transport::PacketHeader& came, transport::Payload payload) {
      EXPECT_EQ(std::memcmp(&came, &header, sizeof header), 0);
      EXPECT_EQ(payload.size(), bytes);
      EXPECT_EQ(std::memcmp(payload.data(), content_of(bytes, bytes), bytes), 0);
      return true;
    };
    EXPECT_GE(reader.read(
                  2, use, [](const Cell&) {}, &freed),
              1);
    return reader.quarters();
  };
  EXPECT_EQ(send(1, 8), 2u);      // the envelope takes one, too
  EXPECT_EQ(send(1, 0), 3u);      // again
  EXPECT_EQ(send(1, 8), 4u);      // again
  EXPECT_EQ(send(1, 3), 5u);      // again, in the next cell
  EXPECT_EQ(send(2, 8), 7u);      // another envelope
  EXPECT_EQ(send(3, 8), 10u);     // for which there is no room in that cell
  EXPECT_EQ(send(3, 9), 16u);     // too long
  EXPECT_EQ(send(3, 8), 17u);     // the envelope is still known
  EXPECT_EQ(send(3, 8, 1), 24u);  // a cookie
  EXPECT_EQ(send(3, 100), 28u);   // a payload elsewhere
  EXPECT_EQ(send(3, 8), 29u);
}

// So that the reader's core, which fetches what lies behind, does not take from the writer what that writes next.
// What has been written past the caches is better fetched so.
TEST(Rings, KeepLongPayloadsApartThatAreWrittenThroughCaches) {
  using namespace transport::shm;
  const auto area = make_area();
  const auto apart = [&](Written how, std::size_t bytes) {
    RingWriter writer(area.get(), kBytes, 0, how);
    RingReader reader(area.get(), kBytes);
    std::vector<const std::byte*> places;
    const auto use = [&](const Cell&, const transport::PacketHeader&, transport::Payload payload) {
      EXPECT_EQ(payload.size(), bytes);
      places.push_back(payload.data());
      return true;
    };
    for (int i = 0; i < 2; ++i) EXPECT_TRUE(writer.try_write({}, {content_of(0, bytes), bytes}));
    bool freed = false;
    EXPECT_EQ(reader.read(
                  2, use, [](const Cell&) {}, &freed),
              2);
    reader.tell();
    return places.at(1) - places.at(0) - static_cast<std::ptrdiff_t>(base::whole_lines(bytes));
  };
  EXPECT_EQ(apart(Written::as_ever, 2000), 1024);
  EXPECT_EQ(apart(Written::past_caches, 2048), 0);
  EXPECT_EQ(apart(Written::as_ever, 100), 0);
}

// Where a payload lies, after what has been read, in which ring, and how much the next has to be.
TEST(Rings, GoBackToTheStartWhereAllIsKnownToBeRead) {
  using namespace transport::shm;
  const auto area = make_area();
  constexpr int kNumber = 3;
  RingWriter writer(area.get(), kBytes, kNumber);
  RingReader reader(area.get(), kBytes);
  std::uint64_t written = 0, read = 0;
  const auto write = [&](std::size_t bytes) {
    EXPECT_TRUE(writer.try_write({}, {content_of(written, bytes), bytes}));
    ++written;
  };
  const auto read_one = [&] {
    const std::byte* place = nullptr;
    bool freed = false;
    const auto use = [&](const Cell&, const transport::PacketHeader&, transport::Payload payload) {
      place = payload.data();
      EXPECT_EQ(std::memcmp(place, content_of(read, payload.size()), payload.size()), 0);
      ++read;
      return true;
    };
    EXPECT_EQ(reader.read(
                  1, use, [](const Cell&) {}, &freed),
              1);
    return place;
  };
  const auto receipt = [&](int ring) {
    return Receipt{reader.payload_bytes(), static_cast<std::uint32_t>(ring) + 1};
  };
  const auto send = [&](std::size_t bytes) { return write(bytes), read_one(); };

  const std::byte* const start = send(1000);
  EXPECT_EQ(send(1000), start + 1024) << "nobody has told the writer that the first is read";
  const Receipt of_two = receipt(kNumber);
  EXPECT_EQ(send(1000), start + 2048);
  writer.take(of_two);
  EXPECT_EQ(send(1000), start + 3072) << "of the third it is not known";
  writer.take(receipt(kNumber - 1));
  EXPECT_EQ(send(1000), start + 4096) << "another ring's receipt";
  writer.take(receipt(kNumber));
  EXPECT_EQ(send(1000), start);
  writer.take(receipt(kNumber));
  writer.take(of_two);
  EXPECT_EQ(send(1000), start) << "an old receipt changes nothing";
  writer.take(receipt(kNumber));
  EXPECT_EQ(send(2000), start + 1024) << "longer than all that is known to be read before the end of the ring";
  EXPECT_EQ(send(1500), start + 4096) << "of 2000 bytes, and of the gap behind";
  writer.take(receipt(kNumber));
  EXPECT_EQ(send(6000), start + 6656) << "would fit at the start, but not with its gap";
  writer.take(receipt(kNumber));
  write(1000);
  write(1000);
  EXPECT_EQ(read_one(), start);
  EXPECT_EQ(read_one(), start + 1024) << "the one before it may not be read yet";
}

// Payloads to and fro between neighbours who have fewer rings than they would need, so that receipts for rings come
// that have changed hands meanwhile.
TEST(Rings, KeepWhatIsSentToAndFro) {
  constexpr int kEnds = 4;
  constexpr std::uint64_t kRounds = 3'000;
  ShmEnds ends({.ends = kEnds, .rings_each = 1, .much = 4});
  std::vector<std::unique_ptr<transport::Channel>> channels(kEnds * kEnds);
  std::deque<Streams> streams;
  for (int end = 0; end < kEnds; ++end) streams.emplace_back(kEnds);
  std::vector<std::uint64_t> sent(kEnds * kEnds);
  base::Rng rng(1);
  int rings_seen = 0;
  for (std::uint64_t round = 0; round < kRounds && !testing::Test::HasFailure(); ++round) {
    const int one = rng.below(kEnds), other = (one + 1 + rng.below(kEnds - 1)) % kEnds;
    for (int exchanges = rng.below(30); exchanges >= 0; --exchanges)
      for (const auto& [from, to] : {std::pair(one, other), std::pair(other, one)}) {
        const auto pair = static_cast<std::size_t>(from * kEnds + to);
        if (!channels[pair]) channels[pair] = ends.end(from).connect(to);
        for (int packets = rng.percent(90) ? 1 : rng.below(5); packets > 0; --packets) {
          const std::size_t bytes = rng.percent(80) ? 1000 : rng.below(4097u);
          while (channels[pair]->try_send({.handler = kHandler, .word = {sent[pair], 0}},
                                          {content_of(sent[pair], bytes), bytes}) != SendStatus::sent)
            ends.end(to).poll(streams[static_cast<std::size_t>(to)].dispatcher());
          ++sent[pair];
        }
        ends.end(to).poll(streams[static_cast<std::size_t>(to)].dispatcher());
        ends.end(from).poll(streams[static_cast<std::size_t>(from)].dispatcher());
        rings_seen += ends.has_ring(from, to) ? 1 : 0;
      }
  }
  for (int end = 0; end < kEnds; ++end) {
    auto& mine = streams[static_cast<std::size_t>(end)];
    while (ends.end(end).poll(mine.dispatcher())) continue;
    std::uint64_t to_end = 0;
    for (int from = 0; from < kEnds; ++from) to_end += sent[static_cast<std::size_t>(from * kEnds + end)];
    EXPECT_EQ(mine.taken(), to_end);
  }
  EXPECT_GT(rings_seen, 1000);
}

// A thread may have been on its way into the ring when another one left it: what it writes there would be lost.
TEST(Rings, HaveNoRoomAfterTheirEnd) {
  using namespace transport::shm;
  const auto area = make_area();
  SharedRingWriter writer;
  EXPECT_FALSE(writer.try_write_short({}, {})) << "before its beginning";
  writer.begin(area.get(), kBytes);
  EXPECT_TRUE(writer.try_write_short({}, {}));
  EXPECT_TRUE(writer.try_leave());
  RingReader reader(area.get(), kBytes);
  int packets = 0, marks = 0;
  bool freed = false;
  reader.read(
      64, [&](const Cell&, const transport::PacketHeader&, transport::Payload) { return ++packets != 0; },
      [&](const Cell&) { ++marks; }, &freed);
  reader.tell();
  EXPECT_EQ(packets, 1);
  EXPECT_EQ(marks, 1);
  EXPECT_FALSE(writer.try_write_short({}, {}));
  EXPECT_FALSE(writer.try_write({}, {content_of(0, 100), 100}));
  EXPECT_EQ(writer.reserve(8), nullptr);
  EXPECT_FALSE(writer.try_leave());
}

// Two threads of one sender, without turns of their own: each keeps its order.
TEST(Rings, KeepTheOrderOfThreadsThatDoNotKnowOfEachOther) {
  constexpr std::uint64_t kEach = 30'000;
  constexpr int kThreads = 3;
  ShmEnds ends({.threads = true, .ends = 3, .rings_each = 1, .much = 4});
  struct PerThread {
    void take(int source, const transport::PacketHeader& header, transport::Payload) {
      if (source == 1) {
        EXPECT_EQ(header.word[0], next[header.tag]);
        ++next[header.tag];
      }
      ++taken;
    }
    transport::Dispatcher dispatcher;
    std::uint64_t next[kThreads] = {};
    std::atomic<std::uint64_t> taken = 0;
  } checker;
  checker.dispatcher.on<&PerThread::take>(kHandler, checker);
  std::atomic<std::uint64_t> received = 0;
  const Watchdog watchdog("threads whose ring comes and goes", received);
  const auto channel = ends.end(1).connect(0), other = ends.end(2).connect(0);
  std::vector<std::thread> threads;
  const transport::Dispatcher nothing;
  std::atomic<int> sending = kThreads;
  for (int thread = 0; thread < kThreads; ++thread)
    threads.emplace_back([&, thread] {
      base::Rng rng(static_cast<std::uint64_t>(thread));
      for (std::uint64_t number = 0; number < kEach; ++number) {
        while (channel->try_send({.handler = kHandler, .tag = thread, .word = {number, 0}}, {}) != SendStatus::sent)
          std::this_thread::yield();
        if (rng.percent(1)) {
          ends.end(1).poll(nothing);
          std::this_thread::yield();
        }
      }
      --sending;
    });
  std::uint64_t flooded = 0;
  threads.emplace_back([&] {
    while (sending > 0) {
      for (int burst = 0; burst < 100; ++burst)
        if (other->try_send({.handler = kHandler}, {}) == SendStatus::sent) ++flooded;
      for (int looks = 0; looks < 20; ++looks) {
        ends.end(2).poll(nothing);
        std::this_thread::yield();
      }
    }
  });
  while (sending > 0 || checker.taken < kThreads * kEach) {
    if (!ends.end(0).poll(checker.dispatcher)) std::this_thread::yield();
    received = checker.taken.load();
  }
  for (std::thread& thread : threads) thread.join();
  while (ends.end(0).poll(checker.dispatcher)) {
  }
  EXPECT_EQ(checker.taken, kThreads * kEach + flooded);
}

}  // namespace
}  // namespace antiphon::contract
