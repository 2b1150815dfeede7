// The queue in front of a channel, over a channel that takes as many packets as the test allows.
#include "engine/links/links.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace antiphon::links {
namespace {

using transport::PacketHeader;
using transport::Payload;
using transport::SendStatus;

// What one process is sent, as far as there is room: the numbers of the packets' handlers.
struct Wire {
  int room = 0;
  std::vector<int> arrived;
};

class NarrowChannel final : public transport::Channel {
 public:
  NarrowChannel(Wire& wire, bool many_senders) : wire_(wire) {
    capabilities_ = {.max_payload = 64, .eager_limit = 256, .many_senders = many_senders};
  }
  SendStatus try_send(const PacketHeader& header, Payload) noexcept override {
    if (wire_.room == 0) return SendStatus::full;
    --wire_.room;
    wire_.arrived.push_back(header.handler);
    return SendStatus::sent;
  }
  std::byte* reserve(std::size_t) noexcept override { return nullptr; }
  void commit(const PacketHeader&, std::size_t) noexcept override {}
  [[nodiscard]] const transport::Capabilities& capabilities() const noexcept override { return capabilities_; }

 private:
  Wire& wire_;
  transport::Capabilities capabilities_;
};

class NoParking final : public progress::Parking {
 public:
  [[nodiscard]] int spin_looks() const noexcept override { return 0; }
  bool breathe(int, Others) noexcept override { return true; }
  [[nodiscard]] bool crowded() const noexcept override { return false; }
  Ticket announce(const progress::WaitReason&) noexcept override { return 0; }
  bool park(Ticket, Patience) noexcept override { return true; }
  void retract() noexcept override {}
  void wake_own_threads() noexcept override {}
};

// So many packets alike, as an engine might send them.
class Parcel final : public Outbound {
 public:
  Parcel(
      std::uint8_t handler, int packets, std::function<void()> gone = [] {})
      : header_{.handler = handler}, left_(packets), gone_(std::move(gone)) {}
  [[nodiscard]] Went advance(transport::Channel& channel, std::size_t) override {
    Went went = Went::nothing;
    for (; left_ != 0; --left_, went = Went::some)
      if (channel.try_send(header_, {}) == SendStatus::full) return went;
    return Went::all;
  }
  void has_gone() override { gone_(); }

 private:
  PacketHeader header_;
  int left_;
  std::function<void()> gone_;
};

class LinksTest : public testing::Test {
 protected:
  static constexpr int kProcesses = 4;

  void submit(int process, std::unique_ptr<Outbound> out) { links.submit(links.to(process), std::move(out)); }
  // Lets that many packets through to a process.
  void make_room(int process, int packets) {
    wires[process].room += packets;
    links.push();
  }

  bool many_senders = true;
  std::map<int, Wire> wires;
  transport::Dispatcher dispatcher;
  NoParking parking;
  progress::Lane lane{false};
  settings::Values settings;
  counters::Counters counters;
  progress::Progress progress{dispatcher, parking, lane};
  Links links{
      kProcesses, [this](int process) { return std::make_unique<NarrowChannel>(wires[process], many_senders); },
      progress,   Senders::many,
      settings,   counters};
};

TEST_F(LinksTest, MeetsAProcessWhenSomethingIsFirstSentThere) {
  EXPECT_EQ(links.find(1), nullptr);
  Link& link = links.to(1);
  EXPECT_EQ(links.find(1), &link);
  EXPECT_EQ(&links.to(1), &link);
  EXPECT_EQ(link.process(), 1);
  EXPECT_EQ(links.find(2), nullptr);
}

TEST_F(LinksTest, TakesItsLimitsFromTheSettingsWhereTheChannelCanDoThat) {
  EXPECT_EQ(links.to(1).max_payload(), 64U);
  EXPECT_EQ(links.to(1).eager_limit(), 256U);
  settings = {.eager_limit = 1000, .max_payload = 32};
  EXPECT_EQ(links.to(2).max_payload(), 32U);
  EXPECT_EQ(links.to(2).eager_limit(), 1000U);
  EXPECT_TRUE(links.to(2).takes_at_once(32));
  EXPECT_FALSE(links.to(2).takes_at_once(33));
  settings = {.eager_limit = 20, .max_payload = 4096};
  EXPECT_EQ(links.to(3).max_payload(), 64U);
  EXPECT_TRUE(links.to(3).takes_at_once(20));
  EXPECT_FALSE(links.to(3).takes_at_once(21));
}

TEST_F(LinksTest, SendsAtOnceWhatTheChannelTakes) {
  wires[1].room = 3;
  bool gone = false;
  submit(1, std::make_unique<Parcel>(7, 3, [&] { gone = true; }));
  EXPECT_TRUE(gone);
  EXPECT_FALSE(links.has_work());
  EXPECT_EQ(wires[1].arrived, (std::vector<int>{7, 7, 7}));
}

// Parts of messages, another engine's packets and control packets, with room for one packet at a time.
TEST_F(LinksTest, KeepsTheOrderOfAllEnginesUnderBackPressure) {
  submit(1, std::make_unique<Parcel>(1, 2));
  submit(1, std::make_unique<Parcel>(16, 3));
  links.send_control(links.to(1), {.handler = 6}, std::uint64_t{5});
  submit(1, std::make_unique<Parcel>(1, 2));
  EXPECT_TRUE(wires[1].arrived.empty());
  for (int packet = 0; packet < 8; ++packet) {
    EXPECT_TRUE(links.has_work());
    make_room(1, 1);
  }
  EXPECT_FALSE(links.has_work());
  EXPECT_EQ(wires[1].arrived, (std::vector<int>{1, 1, 16, 16, 16, 6, 1, 1}));
}

TEST_F(LinksTest, HoldsUpOneProcessOnly) {
  submit(1, std::make_unique<Parcel>(1, 2));
  submit(2, std::make_unique<Parcel>(2, 1));
  make_room(2, 1);
  EXPECT_EQ(wires[2].arrived, (std::vector<int>{2}));
  EXPECT_TRUE(wires[1].arrived.empty());
}

TEST_F(LinksTest, LetsNothingPassWhatWaits) {
  Link& link = links.to(1);
  EXPECT_TRUE(link.takes_at_once(64));
  EXPECT_FALSE(link.takes_at_once(65));
  submit(1, std::make_unique<Parcel>(1, 1));
  wires[1].room = 2;
  EXPECT_FALSE(link.takes_at_once(0));
  EXPECT_FALSE(link.try_packet({.handler = 9}, {}));
  links.push();
  EXPECT_TRUE(link.takes_at_once(0));
  EXPECT_TRUE(link.try_packet({.handler = 9}, {}));
  EXPECT_EQ(wires[1].arrived, (std::vector<int>{1, 9}));
}

TEST_F(LinksTest, LetsNoOtherThreadUseAChannelForOneSender) {
  many_senders = false;
  Link& link = links.to(1);
  wires[1].room = 1;
  EXPECT_FALSE(link.takes_at_once(0));
  EXPECT_TRUE(link.try_packet({.handler = 9}, {}));
}

TEST_F(LinksTest, SendsBehindTheRestWhatFollowsFromSomethingGone) {
  submit(1, std::make_unique<Parcel>(1, 1, [this] { submit(1, std::make_unique<Parcel>(3, 1)); }));
  submit(1, std::make_unique<Parcel>(2, 1));
  make_room(1, 3);
  EXPECT_EQ(wires[1].arrived, (std::vector<int>{1, 2, 3}));
}

TEST_F(LinksTest, ForgetsAtItsEndWhatHasNotGone) {
  bool gone = false;
  submit(2, std::make_unique<Parcel>(1, 1, [&] { gone = true; }));
  EXPECT_FALSE(gone);
}

}  // namespace
}  // namespace antiphon::links
