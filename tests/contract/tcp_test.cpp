// What a TcpTransport does besides the contract: whatever comes over a connection, and wherever that ends.
#include <linux/filter.h>
#include <linux/sockios.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/ioctl.h>

#include <chrono>
#include <cstring>
#include <string>
#include <thread>

#include "base/error.hpp"
#include "base/rng.hpp"
#include "packets.hpp"
#include "tcp_ends.hpp"

namespace antiphon::contract {
namespace {

using transport::SendStatus;
using transport::tcp::frame_bytes;
using transport::tcp::FrameHead;
using Bytes = std::vector<std::byte>;

transport::tcp::Options impatient() {
  return {.limits = {.max_payload = 1000, .eager_limit = 1000},
          .scratch_bytes = 4096,
          .looks_skipped = 0,
          .grace = std::chrono::nanoseconds(1)};
}

void append(Bytes& stream, const FrameHead& head, transport::Payload payload) {
  const std::size_t start = stream.size();
  stream.resize(start + frame_bytes(payload.size()));
  std::memcpy(stream.data() + start, &head, sizeof head);
  std::memcpy(stream.data() + start + sizeof head, payload.data(), payload.size());
}
void append_packet(Bytes& stream, std::uint64_t number, std::size_t bytes) {
  append(stream, {.payload_bytes = static_cast<std::uint32_t>(bytes), .packet = header_of(number)},
         {content_of(number, bytes), bytes});
}
void append_goodbye(Bytes& stream) { append(stream, {.kind = FrameHead::Kind::goodbye}, {}); }

// A transport that is connected to sockets of the test, which stand for processes from 1 on.
class Receiver {
 public:
  explicit Receiver(const transport::tcp::Options& options = impatient())
      : transport_(desk_.sockets(), events_, options) {}

  void connect(int process, OwnedDescriptor socket) {
    desk_.bring({.process = process, .socket = std::move(socket)});
  }
  // The test's end.
  [[nodiscard]] OwnedDescriptor connect(int process) {
    auto [here, there] = connected_pair();
    connect(process, std::move(here));
    return std::move(there);
  }
  void look(int times = 10) {
    for (; times > 0; --times) transport_.poll(checker.dispatcher());
  }
  // What the transport has to say; empty: nothing, in a few looks.
  [[nodiscard]] std::string complaint() {
    try {
      look();
      return "";
    } catch (const base::Error& error) {
      return error.message;
    }
  }
  [[nodiscard]] std::string complaint_within(std::chrono::milliseconds time) {
    const auto end = std::chrono::steady_clock::now() + time;
    std::string said;
    while (said.empty() && std::chrono::steady_clock::now() < end) {
      said = complaint();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return said;
  }
  [[nodiscard]] transport::tcp::TcpTransport& transport() { return transport_; }
  [[nodiscard]] platform::EventSet& events() { return events_; }

  Checker checker{1};
  std::vector<int> asked;

 private:
  Desk desk_{[this](int process) { asked.push_back(process); }};
  platform::EventSet events_;
  transport::tcp::TcpTransport transport_;
};

void put(const OwnedDescriptor& socket, std::span<const std::byte> bytes) {
  ASSERT_EQ(send(socket.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL), static_cast<ssize_t>(bytes.size()));
}
// Bytes that the other end has not read.
std::size_t pending(const OwnedDescriptor& socket) {
  int bytes = 0;
  EXPECT_EQ(ioctl(socket.get(), SIOCOUTQ, &bytes), 0);
  return static_cast<std::size_t>(bytes);
}
bool is_closed(const OwnedDescriptor& socket) {
  std::byte byte;
  return recv(socket.get(), &byte, 1, MSG_DONTWAIT) == 0;
}

TEST(ATcpConnection, ThatEndsAnywhereIsBrokenAndDeliversWhatWasWholeBefore) {
  Bytes stream;
  std::vector<std::size_t> ends;
  for (const std::size_t bytes : {std::size_t{5}, std::size_t{0}, std::size_t{64}}) {
    append_packet(stream, ends.size(), bytes);
    ends.push_back(stream.size());
  }
  for (std::size_t cut = 0; cut <= stream.size(); ++cut) {
    Receiver receiver;
    {
      const OwnedDescriptor sender = receiver.connect(1);
      put(sender, std::span(stream).first(cut));
    }
    EXPECT_EQ(receiver.complaint(), "the connection to rank 1 on its host broke: it was closed at the other end");
    EXPECT_EQ(receiver.checker.taken(), std::ranges::count_if(ends, [&](std::size_t end) { return end <= cut; }));
  }
}

TEST(ATcpConnection, MayEndAfterAGoodbyeAndOnlyThen) {
  Bytes stream;
  append_packet(stream, 0, 100);
  append_goodbye(stream);
  append_packet(stream, 1, 7);
  const std::size_t goodbye_ends = frame_bytes(100) + frame_bytes(0);
  for (std::size_t cut = frame_bytes(100); cut <= stream.size(); ++cut) {
    Receiver receiver;
    {
      const OwnedDescriptor sender = receiver.connect(1);
      put(sender, std::span(stream).first(cut));
    }
    EXPECT_EQ(receiver.complaint().empty(), cut == goodbye_ends) << cut;
  }
}

TEST(ATcpConnection, ThatHasEndedTakesPacketsAndDropsThem) {
  Receiver receiver;
  const auto channel = receiver.transport().connect(1);
  EXPECT_EQ(channel->try_send(header_of(0), {}), SendStatus::full);  // no socket so far
  {
    const OwnedDescriptor sender = receiver.connect(1);
    Bytes stream;
    append_goodbye(stream);
    put(sender, stream);
  }
  EXPECT_EQ(receiver.complaint(), "");
  EXPECT_EQ(channel->try_send(header_of(0), {}), SendStatus::sent);
  ASSERT_NE(channel->reserve(10), nullptr);
  channel->commit(header_of(1), 10);
  EXPECT_FALSE(receiver.transport().has_unsent());
}

TEST(ATcpConnection, ToWhichNothingCanBeWrittenStillDeliversTheGoodbyeThatIsThere) {
  Receiver receiver;
  const auto channel = receiver.transport().connect(1);
  {
    const OwnedDescriptor sender = receiver.connect(1);
    receiver.look();
    Bytes stream;
    append_packet(stream, 0, 10);
    append_goodbye(stream);
    put(sender, stream);
  }
  EXPECT_EQ(channel->try_send(header_of(0), {}), SendStatus::full);  // EPIPE
  EXPECT_EQ(receiver.complaint(), "");
  EXPECT_EQ(receiver.checker.taken(), 1u);
}

// Both ends of a connection through the machine's own network.
std::pair<OwnedDescriptor, OwnedDescriptor> tcp_pair() {
  const OwnedDescriptor listener(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  OwnedDescriptor caller(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t bytes = sizeof address;
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  EXPECT_EQ(bind(listener.get(), any, bytes), 0);
  EXPECT_EQ(listen(listener.get(), 1), 0);
  EXPECT_EQ(getsockname(listener.get(), any, &bytes), 0);
  EXPECT_EQ(connect(caller.get(), any, bytes), 0);
  OwnedDescriptor called(accept4(listener.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
  return {std::move(caller), std::move(called)};
}

TEST(ATcpConnection, SaysWhyItBroke) {
  Receiver receiver;
  {
    auto [sender, receiving] = tcp_pair();
    receiver.connect(1, std::move(receiving));
    receiver.look();
    const linger reset{.l_onoff = 1, .l_linger = 0};
    setsockopt(sender.get(), SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
  }
  EXPECT_EQ(receiver.complaint(), "the connection to rank 1 on its host broke: Connection reset by peer");
}

// Looks soon whether anything is acknowledged.
transport::tcp::Options watchful() {
  transport::tcp::Options options = impatient();
  options.watch_period = std::chrono::milliseconds(50);
  options.most_retries = 2;
  return options;
}

// A host that has gone answers nothing: here, a filter drops what arrives for its socket.
TEST(ATcpConnection, IsBrokenWhenNothingIsAcknowledgedAnyMore) {
  Receiver receiver(watchful());
  auto [peer, mine] = tcp_pair();
  receiver.connect(1, std::move(mine));
  const auto channel = receiver.transport().connect(1);
  receiver.look();
  sock_filter drop{BPF_RET | BPF_K, 0, 0, 0};
  const sock_fprog filter{.len = 1, .filter = &drop};
  ASSERT_EQ(setsockopt(peer.get(), SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof filter), 0);
  ASSERT_EQ(channel->try_send(header_of(0), {}), SendStatus::sent);
  EXPECT_EQ(receiver.complaint_within(std::chrono::seconds(10)),
            "the connection to rank 1 on its host broke: Connection timed out");
}

TEST(ATcpConnection, IsNotBrokenWhileItsProcessOnlyDoesNotRead) {
  Receiver receiver(watchful());
  auto [peer, mine] = tcp_pair();
  receiver.connect(1, std::move(mine));
  const auto channel = receiver.transport().connect(1);
  receiver.look();
  while (channel->try_send(header_of(0), {content_of(0, 999), 999}) == SendStatus::sent) {
  }
  EXPECT_EQ(receiver.complaint_within(std::chrono::seconds(2)), "");
}

// Nobody who sends has to poll for the rest of a burst, though most of it goes in few segments.
TEST(ATcpConnection, CarriesABurstWithoutFurtherPolls) {
  constexpr std::uint64_t kPackets = 1000;
  Receiver sender, receiver;
  auto [one, other] = tcp_pair();
  sender.connect(1, std::move(one));
  const int socket = other.get();
  receiver.connect(1, std::move(other));
  const auto channel = sender.transport().connect(1);
  sender.look();
  receiver.look();
  for (std::uint64_t number = 0; number < kPackets; ++number)
    ASSERT_EQ(channel->try_send(header_of(number), {content_of(number, 8), 8}), SendStatus::sent);
  const auto start = std::chrono::steady_clock::now();
  while (receiver.checker.taken() < kPackets && std::chrono::steady_clock::now() < start + std::chrono::seconds(5))
    receiver.look(1);
  EXPECT_EQ(receiver.checker.taken(), kPackets);
  tcp_info info{};
  socklen_t bytes = sizeof info;
  ASSERT_EQ(getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &bytes), 0);
  EXPECT_LT(info.tcpi_data_segs_in, kPackets / 4);
}

TEST(ATcpConnection, SendsWhatItHasGatheredAtTheNextPoll) {
  Receiver sender;
  auto [one, other] = tcp_pair();
  const int socket = one.get();
  sender.connect(1, std::move(one));
  const auto channel = sender.transport().connect(1);
  sender.look();
  const auto kept_by_the_system = [&] {
    int bytes = 0;
    EXPECT_EQ(ioctl(socket, SIOCOUTQNSD, &bytes), 0);
    return bytes;
  };
  bool gathered = false;
  for (int burst = 0; burst < 100; ++burst) {
    for (std::uint64_t number = 0; number < 10; ++number)
      ASSERT_EQ(channel->try_send(header_of(number), {}), SendStatus::sent);
    gathered |= kept_by_the_system() != 0;
    sender.look(1);
    EXPECT_EQ(kept_by_the_system(), 0);
    // Whoever reads nothing gets no more at some time, whatever the sender does.
    std::array<std::byte, 4096> got;
    while (recv(other.get(), got.data(), got.size(), MSG_DONTWAIT) > 0) continue;
  }
  EXPECT_TRUE(gathered);
}

TEST(ATcpConnection, ThatBrokeIsReportedAfterATimeOfGraceWithWhatWasFirst) {
  transport::tcp::Options options = impatient();
  options.grace = std::chrono::milliseconds(50);
  Receiver receiver(options);
  { const OwnedDescriptor first = receiver.connect(1), second = receiver.connect(2); }
  const auto start = std::chrono::steady_clock::now();
  const std::string complaint = receiver.complaint_within(std::chrono::seconds(10));
  EXPECT_GE(std::chrono::steady_clock::now() - start, options.grace);
  EXPECT_EQ(complaint, "the connection to rank 1 on its host broke: it was closed at the other end");
}

TEST(ATcpConnection, IsClosedWhenALengthIsTooLarge) {
  Receiver receiver;
  const OwnedDescriptor sender = receiver.connect(1);
  Bytes stream;
  append(stream, {.payload_bytes = 1001, .packet = header_of(0)}, {});
  put(sender, stream);
  EXPECT_EQ(receiver.complaint(),
            "rank 1 on its host sent a frame of kind 0x6b636150 with 1001 bytes (valid: packets of at most 1000 "
            "bytes): the connection to it is closed");
  EXPECT_TRUE(is_closed(sender));
  EXPECT_EQ(receiver.complaint(), "");  // it was said
}

// Damages the head of one frame of several, and cuts the stream into pieces: all packets before it are delivered.
TEST(ATcpConnection, IsClosedWhenAFrameIsDamaged) {
  constexpr std::uint64_t kSeeds = 2000;
  for (std::uint64_t seed = 1; seed <= kSeeds && !testing::Test::HasFailure(); ++seed) {
    base::Rng rng(seed);
    Receiver receiver;
    const OwnedDescriptor sender = receiver.connect(1);
    Bytes stream;
    const std::uint64_t damaged = rng.below(10);
    std::size_t start = 0;
    for (std::uint64_t number = 0; number < 10; ++number) {
      if (number == damaged) start = stream.size();
      append_packet(stream, number, static_cast<std::size_t>(rng.below(1001)));
    }
    FrameHead head;
    std::memcpy(&head, stream.data() + start, sizeof head);
    const auto noise = static_cast<std::uint32_t>(rng.below(1 << 30));
    if (rng.percent(50))
      head.kind = static_cast<FrameHead::Kind>(noise);
    else
      head.payload_bytes = 1001 + noise;
    std::memcpy(stream.data() + start, &head, sizeof head);
    std::string complaint;
    for (std::size_t at = 0; at < stream.size() && complaint.empty();) {
      const std::size_t piece =
          std::min<std::size_t>(stream.size() - at, 1 + static_cast<std::size_t>(rng.below(500)));
      put(sender, std::span(stream).subspan(at, piece));
      at += piece;
      complaint = receiver.complaint();
    }
    EXPECT_NE(complaint.find("rank 1 on its host sent a frame of kind"), std::string::npos) << "seed " << seed;
    EXPECT_EQ(receiver.checker.taken(), damaged) << "seed " << seed;
    EXPECT_TRUE(is_closed(sender));
  }
}

TEST(ATcpConnection, IsAskedForOnce) {
  Receiver receiver;
  const auto channel = receiver.transport().connect(1);
  EXPECT_EQ(receiver.asked, std::vector{1});
  const OwnedDescriptor sender = receiver.connect(1), other = receiver.connect(2);
  receiver.look();
  const auto to_other = receiver.transport().connect(2);  // which had asked itself
  EXPECT_EQ(receiver.asked, std::vector{1});
  EXPECT_EQ(to_other->try_send(header_of(0), {}), SendStatus::sent);
}

TEST(ATcpTransport, TellsWhyThereIsNoConnection) {
  platform::EventSet events;
  Desk desk([](int) {});
  transport::tcp::TcpTransport transport(desk.sockets(), events, impatient());
  desk.bring({.process = 7, .socket = {}, .failure = "no route to host"});
  const transport::Dispatcher nobody;
  try {
    transport.poll(nobody);
    FAIL();
  } catch (const base::Error& error) {
    EXPECT_EQ(error.message, "there is no connection to rank 7 on its host: no route to host");
  }
}

TEST(ATcpTransport, HearsAQuietProcessBesideOneThatSendsWithoutRest) {
  Receiver receiver;
  const OwnedDescriptor loud = receiver.connect(1), quiet = receiver.connect(2);
  Counter counter(3);
  Bytes flood, word;
  for (int packet = 0; packet < 500; ++packet) append(flood, {}, {});
  append(word, {}, {});
  for (int look = 0; counter.taken_from(2) == 0; ++look) {
    ASSERT_LT(look, 20);
    if (pending(loud) < flood.size()) put(loud, flood);
    if (look == 3) put(quiet, word);
    receiver.transport().poll(counter.dispatcher());
  }
  EXPECT_GT(counter.taken_from(1), 0u);
}

// Where nothing moves, a poll mostly does not look; it does so at once when a thread has been woken.
TEST(ATcpTransport, LooksSeldomUntilSomethingComes) {
  transport::tcp::Options options = impatient();
  options.looks_skipped = 63;
  Receiver receiver(options);
  const OwnedDescriptor sender = receiver.connect(1);
  receiver.look(1000);  // until it has become quiet
  Bytes stream;
  append_packet(stream, 0, 8);
  append_packet(stream, 1, 8);
  const auto polls_until_next = [&] {
    const std::uint64_t before = receiver.checker.taken();
    put(sender, std::span(stream).subspan(before * frame_bytes(8), frame_bytes(8)));
    int polls = 0;
    for (; receiver.checker.taken() == before; ++polls) receiver.look(1);
    return polls;
  };
  const int first = polls_until_next();
  EXPECT_GT(first, 1);
  EXPECT_LE(first, 64);
  EXPECT_LE(polls_until_next(), 4);
  receiver.look(1000);
  stream.resize(2 * frame_bytes(8));
  append_packet(stream, 2, 8);
  receiver.events().notice();
  EXPECT_EQ(polls_until_next(), 1);
}

TEST(ATcpTransport, HasSentEverythingIncludingGoodbyesWhenItSaysSo) {
  Receiver receiver;
  const auto channel = receiver.transport().connect(1);
  auto [here, there] = connected_pair(1);
  receiver.connect(1, std::move(here));
  receiver.look();
  std::size_t accepted = 0;
  while (channel->try_send(header_of(accepted), {content_of(accepted, 999), 999}) == SendStatus::sent) ++accepted;
  EXPECT_TRUE(receiver.transport().has_unsent());
  receiver.transport().say_goodbye();
  auto other = std::make_unique<Receiver>();
  other->connect(1, std::move(there));
  while (receiver.transport().has_unsent()) {
    receiver.look(1);
    other->look(1);
  }
  other->look();
  EXPECT_EQ(other->checker.taken(), accepted);
  other.reset();  // without a goodbye
  EXPECT_NE(receiver.complaint(), "");
}

}  // namespace
}  // namespace antiphon::contract
