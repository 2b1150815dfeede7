// Connection brokers of two nodes, with ranks that ask them for connections, and strangers that try to get in.
#include "broker/broker.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/rng.hpp"
#include "bootstrap/broker_client.hpp"
#include "broker/interfaces.hpp"
#include "platform/linux/owned_descriptor.hpp"

namespace antiphon::launch {
namespace {

using bootstrap::BrokerClient;
using bootstrap::Place;
using platform::OwnedDescriptor;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto kLongEnough = 10s;

// Even ranks run on node 0, odd ones on node 1. Their brokers take turns in this thread.
class TwoNodes {
 public:
  explicit TwoNodes(int ranks, Secret second_secret = secret()) {
    std::vector<Place> places;
    for (int rank = 0; rank < ranks; ++rank) places.push_back({rank % 2, rank / 2});
    for (int node = 0; node < 2; ++node)
      brokers_.push_back(std::make_unique<Broker>(
          Broker::Setup{.secret = node == 0 ? secret() : second_secret,
                        .node = node,
                        .places = places,
                        .node_names = {"first", "second"},
                        .warn = [this](const std::string& text) { warnings.push_back(text); },
                        .tell_details = [this](const std::string& text) { details.push_back(text); }}));
    clients_.resize(static_cast<std::size_t>(ranks));
  }
  static Secret secret() {
    Secret secret;
    secret.fill(std::byte{7});
    return secret;
  }

  void meet() {
    for (const auto& broker : brokers_) broker->meet({brokers_[0]->endpoint(), brokers_[1]->endpoint()});
  }
  [[nodiscard]] Broker& broker(int node) { return *brokers_[static_cast<std::size_t>(node)]; }
  BrokerClient& rank(int rank) {
    auto& client = clients_[static_cast<std::size_t>(rank)];
    if (!client) client = std::make_unique<BrokerClient>(broker(rank % 2).address(), rank);
    return *client;
  }
  void end(int rank) { clients_[static_cast<std::size_t>(rank)].reset(); }

  // Lets the brokers work until `done` holds; false if that takes too long.
  template <class Done>
  bool run_until(Done&& done) {
    const Clock::time_point end = Clock::now() + kLongEnough;
    while (!done()) {
      if (Clock::now() > end) return false;
      std::array<pollfd, 2> polls{{{broker(0).descriptor(), POLLIN, 0}, {broker(1).descriptor(), POLLIN, 0}}};
      poll(polls.data(), polls.size(), 5);
      for (const auto& broker : brokers_) broker->handle();
    }
    return true;
  }
  // The next connection or failure that the rank is told of.
  BrokerClient::Connection next(int rank_of_it) {
    std::optional<BrokerClient::Connection> found;
    run_until([&] { return (found = rank(rank_of_it).next()).has_value(); });
    if (!found) return {.failure = "nothing came"};
    return *std::move(found);
  }
  void work(std::chrono::milliseconds time) {
    const Clock::time_point end = Clock::now() + time;
    run_until([&] { return Clock::now() > end; });
  }

  std::vector<std::string> warnings, details;

 private:
  std::vector<std::unique_ptr<Broker>> brokers_;
  std::vector<std::unique_ptr<BrokerClient>> clients_;
};

// What arrives at `to` when `text` is written at `from`.
std::string carried(int from, int to, const std::string& text) {
  if (send(from, text.data(), text.size(), 0) != static_cast<ssize_t>(text.size())) return "not sent";
  std::string got(text.size(), '\0');
  pollfd wait{to, POLLIN, 0};
  poll(&wait, 1, 5000);
  return recv(to, got.data(), got.size(), MSG_DONTWAIT) == static_cast<ssize_t>(got.size()) ? got : "not received";
}

TEST(Broker, ConnectsAPairThatOneOfThemAskedFor) {
  TwoNodes nodes(2);
  nodes.meet();
  nodes.rank(1);
  nodes.rank(0).ask(1);
  const auto first = nodes.next(0), second = nodes.next(1);
  ASSERT_EQ(first.failure, "");
  EXPECT_EQ(first.process, 1);
  EXPECT_EQ(second.process, 0);
  EXPECT_EQ(carried(first.socket.get(), second.socket.get(), "there"), "there");
  EXPECT_EQ(carried(second.socket.get(), first.socket.get(), "and back"), "and back");
  ASSERT_EQ(nodes.details.size(), 1U);
  EXPECT_NE(nodes.details[0].find("second is reached at "), std::string::npos);
}

TEST(Broker, GivesAPairOneConnectionIfBothAskAtOnce) {
  constexpr int kRanks = 16;
  TwoNodes nodes(kRanks);
  for (int rank = 0; rank < kRanks; ++rank)
    for (int process = 0; process < kRanks; ++process)
      if (rank % 2 != process % 2) nodes.rank(rank).ask(process);
  nodes.work(20ms);  // requests that come before the brokers know each other wait
  nodes.meet();
  std::map<std::pair<int, int>, OwnedDescriptor> sockets;
  const auto collect = [&] {
    for (int rank = 0; rank < kRanks; ++rank)
      while (auto got = nodes.rank(rank).next()) {
        EXPECT_EQ(got->failure, "");
        EXPECT_TRUE(sockets.emplace(std::pair(rank, got->process), std::move(got->socket)).second)
            << "a second connection";
      }
    return sockets.size() == kRanks * kRanks / 2;
  };
  ASSERT_TRUE(nodes.run_until(collect)) << sockets.size();
  nodes.work(50ms);
  collect();
  for (const auto& [pair, socket] : sockets) {
    const std::string text = std::to_string(pair.first * 100 + pair.second);
    EXPECT_EQ(carried(socket.get(), sockets.at({pair.second, pair.first}).get(), text), text);
  }
}

TEST(Broker, KeepsAConnectionForARankThatComesLater) {
  TwoNodes nodes(2);
  nodes.meet();
  nodes.rank(0).ask(1);
  const auto first = nodes.next(0);
  const auto second = nodes.next(1);  // which makes itself known only now
  EXPECT_EQ(second.process, 0);
  EXPECT_EQ(carried(first.socket.get(), second.socket.get(), "early"), "early");
}

TEST(Broker, SaysWhyThereIsNoConnection) {
  TwoNodes nodes(4);
  nodes.meet();
  nodes.rank(0).ask(17);
  EXPECT_EQ(nodes.next(0).failure, "there is no such process in this job");
  nodes.rank(0).ask(2);
  EXPECT_EQ(nodes.next(0).failure, "it runs on this node");
  nodes.rank(1);
  nodes.work(20ms);
  nodes.end(1);
  nodes.work(20ms);
  nodes.rank(0).ask(1);
  EXPECT_NE(nodes.next(0).failure.find("process 1 has ended"), std::string::npos);
}

TEST(Broker, SaysThatANodeHasNoAddress) {
  TwoNodes nodes(2);
  nodes.broker(0).meet({nodes.broker(0).endpoint(), {.port = 1, .addresses = {}}});
  nodes.rank(0).ask(1);
  EXPECT_EQ(nodes.next(0).failure, "cannot reach second: it has no network interface that is up");
}

TEST(Broker, DoesNotTalkToABrokerOfAnotherJob) {
  Secret other = TwoNodes::secret();
  other[31] = std::byte{8};
  TwoNodes nodes(2, other);
  nodes.meet();
  nodes.rank(0).ask(1);
  const std::string failure = nodes.next(0).failure;
  EXPECT_NE(failure.find("cannot reach second: "), std::string::npos) << failure;
  EXPECT_NE(failure.find("what listens there does not know the secret of this job"), std::string::npos) << failure;
}

OwnedDescriptor stranger_at(const BrokerEndpoint& endpoint) {
  OwnedDescriptor stranger(socket(AF_INET, SOCK_STREAM, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(endpoint.port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  EXPECT_EQ(connect(stranger.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  return stranger;
}

// Whether the other end has closed the connection without having written more than a challenge.
bool was_turned_away(int stranger) {
  std::array<std::byte, 4096> got;
  std::size_t total = 0;
  for (ssize_t bytes; (bytes = recv(stranger, got.data(), got.size(), MSG_DONTWAIT)) != 0;) {
    if (bytes < 0) return errno == ECONNRESET;
    total += static_cast<std::size_t>(bytes);
  }
  return total <= kChallengeBytes;
}

TEST(Broker, TurnsAwayStrangersAndGoesOn) {
  TwoNodes nodes(2);
  nodes.meet();
  base::Rng rng(1);
  std::vector<OwnedDescriptor> silent;
  for (int i = 0; i < 20; ++i) silent.push_back(stranger_at(nodes.broker(1).endpoint()));
  for (int i = 0; i < 200; ++i) {
    const OwnedDescriptor stranger = stranger_at(nodes.broker(1).endpoint());
    std::vector<std::byte> rubbish(rng.below(300) + kHelloBytes);
    for (std::byte& byte : rubbish) byte = static_cast<std::byte>(rng.below(256));
    if (i % 2 == 0) {  // a hello that is right but for the proof
      const HelloBytes hello = encode(Hello{0, 1, 0, 1, new_nonce()});
      std::ranges::copy(hello, rubbish.begin());
      rubbish.resize(std::max(rubbish.size(), kHelloBytes + kProofBytes));
    }
    send(stranger.get(), rubbish.data(), rubbish.size(), MSG_NOSIGNAL);
    ASSERT_TRUE(nodes.run_until([&] { return was_turned_away(stranger.get()); })) << i;
  }
  ASSERT_EQ(nodes.warnings.size(), 1U);
  EXPECT_NE(nodes.warnings[0].find("refused a connection from "), std::string::npos);
  nodes.rank(0).ask(1);
  const auto first = nodes.next(0), second = nodes.next(1);
  EXPECT_EQ(carried(first.socket.get(), second.socket.get(), "still"), "still");
}

// Somebody between the nodes has recorded what the caller of a connection wrote.
TEST(Broker, RefusesARecordedConversation) {
  TwoNodes nodes(2);
  const OwnedDescriptor listener(socket(AF_INET, SOCK_STREAM, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t bytes = sizeof address;
  ASSERT_EQ(bind(listener.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  ASSERT_EQ(listen(listener.get(), 1), 0);
  getsockname(listener.get(), reinterpret_cast<sockaddr*>(&address), &bytes);
  nodes.broker(0).meet({nodes.broker(0).endpoint(), {ntohs(address.sin_port), {"127.0.0.1"}}});
  nodes.rank(0).ask(1);
  nodes.work(20ms);
  const OwnedDescriptor caller(accept(listener.get(), nullptr, nullptr));
  const OwnedDescriptor callee = stranger_at(nodes.broker(1).endpoint());
  std::vector<std::byte> recorded;
  const auto pass_on = [&](int from, int to) {
    std::array<std::byte, 4096> part;
    const ssize_t got = recv(from, part.data(), part.size(), MSG_DONTWAIT);
    if (got <= 0) return;
    if (from == caller.get()) recorded.insert(recorded.end(), part.begin(), part.begin() + got);
    send(to, part.data(), static_cast<std::size_t>(got), MSG_NOSIGNAL);
  };
  ASSERT_TRUE(nodes.run_until([&] {
    pass_on(caller.get(), callee.get());
    pass_on(callee.get(), caller.get());
    return recorded.size() == kHelloBytes + kProofBytes;
  }));
  const OwnedDescriptor replay = stranger_at(nodes.broker(1).endpoint());
  send(replay.get(), recorded.data(), recorded.size(), MSG_NOSIGNAL);
  EXPECT_TRUE(nodes.run_until([&] { return was_turned_away(replay.get()); }));
  ASSERT_EQ(nodes.warnings.size(), 1U);
  EXPECT_NE(nodes.warnings[0].find("it does not know the secret of this job"), std::string::npos);
}

TEST(Broker, NamesThePortsThatAreAllInUse) {
  const Broker first({.secret = TwoNodes::secret()});
  const std::uint16_t port = first.endpoint().port;
  try {
    const Broker second({.secret = TwoNodes::secret(), .ports = {port, port}});
    FAIL() << "it listens on a port that is in use";
  } catch (const base::Error& error) {
    EXPECT_NE(error.message.find("cannot listen on a port from " + std::to_string(port)), std::string::npos)
        << error.message;
  }
}

TEST(Handshake, UnderstandsItsOwnHelloOnly) {
  const Hello hello{1, 2, 300'000, 4, new_nonce()};
  HelloBytes bytes = encode(hello);
  std::string complaint;
  const auto decoded = decode_hello(bytes, &complaint);
  ASSERT_TRUE(decoded);
  EXPECT_EQ(decoded->from_process, 300'000);
  EXPECT_EQ(decoded->nonce, hello.nonce);
  bytes[8] = std::byte{99};
  EXPECT_FALSE(decode_hello(bytes, &complaint));
  EXPECT_EQ(complaint, "it speaks version 99 of the protocol, and this is version 1");
}

TEST(Handshake, ShowsOnlyTextThatCanBePrinted) {
  VerdictBytes bytes = encode(Verdict{Verdict::Kind::refused, "no\x1b[2J"});
  EXPECT_EQ(decode_verdict(bytes)->reason, "no?[2J");
  bytes.fill(std::byte{0xff});
  EXPECT_FALSE(decode_verdict(bytes));
}

TEST(Interfaces, OfBridgesAndLoopbackAreOfferedOnlyWhereThereIsNothingElse) {
  const Interface lo{.name = "lo", .address = "127.0.0.1", .loopback = true};
  const Interface docker{.name = "docker0", .address = "172.17.0.1", .bridge = true};
  const Interface slow{.name = "eth0", .address = "10.0.0.1", .speed = 1'000};
  const Interface fast{.name = "ib0", .address = "10.1.0.1", .speed = 100'000};
  using Addresses = std::vector<std::string>;
  EXPECT_EQ(addresses_to_offer({lo, docker, slow, fast}, {}), (Addresses{"10.1.0.1", "10.0.0.1"}));
  EXPECT_EQ(addresses_to_offer({lo, docker}, {}), Addresses{"172.17.0.1"});
  EXPECT_EQ(addresses_to_offer({lo}, {}), Addresses{"127.0.0.1"});
  EXPECT_EQ(addresses_to_offer({lo, docker, slow, fast}, {"eth0"}), Addresses{"10.0.0.1"});
}

TEST(Interfaces, InTheSameSubnetComeFirst) {
  const std::vector<Interface> own{{.name = "eth0", .address = "10.0.3.7", .prefix_bits = 22},
                                   {.name = "eth1", .address = "2001:db8::7", .prefix_bits = 64}};
  EXPECT_EQ(nearest_first({"192.168.0.1", "10.0.4.1", "10.0.1.9", "2001:db8::9"}, own),
            (std::vector<std::string>{"10.0.1.9", "2001:db8::9", "192.168.0.1", "10.0.4.1"}));
}

}  // namespace
}  // namespace antiphon::launch
