// The contract of transport/channel.hpp, for every transport, both ends in one thread.
#include <algorithm>

#include "base/rng.hpp"
#include "ends.hpp"
#include "packets.hpp"

namespace antiphon::contract {
namespace {

using transport::SendStatus;

class TransportContract : public testing::TestWithParam<Maker> {
 protected:
  TransportContract() : channel_(ends_->end(0).connect(ends_->name(1))) {}

  std::size_t max_payload() const { return channel_->capabilities().max_payload; }

  // Whether it was taken. Every other packet is written by the sender into the channel's own memory.
  bool try_send(std::size_t bytes) {
    const bool taken = sent_ % 2 == 0 ? copied(bytes) : written_in_place(bytes);
    if (taken) ++sent_;
    return taken;
  }
  // The sender's buffer is overwritten at once, as its owner may.
  bool copied(std::size_t bytes) {
    const std::byte* content = content_of(sent_, bytes);
    buffer_.assign(content, content + bytes);
    transport::PacketHeader header = header_of(sent_);
    const SendStatus status = channel_->try_send(header, buffer_);
    header = {};
    std::ranges::fill(buffer_, std::byte{0});
    return status == SendStatus::sent;
  }
  bool written_in_place(std::size_t bytes) {
    std::byte* room = channel_->reserve(bytes);
    if (!room) return false;
    const std::byte* content = content_of(sent_, bytes);
    for (std::size_t i = bytes; i-- != 0;) room[i] = content[i];  // in whatever order
    channel_->commit(header_of(sent_), bytes);
    return true;
  }
  // The sender polls, too: what it has sent may still be with it.
  void poll() {
    ends_->pass_time();
    if (&ends_->end(0) != &ends_->end(1)) ends_->end(0).poll(answers_.dispatcher());
    ends_->end(1).poll(checker_.dispatcher());
  }
  void send(std::size_t bytes) {
    for (int looks = 0; !try_send(bytes); ++looks) {
      ASSERT_LT(looks, kPatience) << "full for ever";
      poll();
    }
  }
  void poll_until_all_are_here() {
    for (int looks = 0; checker_.taken() < sent_; ++looks) {
      ASSERT_LT(looks, kPatience) << "packet " << checker_.taken() << " of " << sent_ << " never came";
      poll();
    }
  }

  static constexpr int kPatience = 100'000;
  std::unique_ptr<Ends> ends_ = GetParam().make();
  std::unique_ptr<transport::Channel> channel_;
  Checker checker_{ends_->name(0)};
  Checker answers_{ends_->name(1)};  // to what is sent; none in most tests
  std::vector<std::byte> buffer_;
  std::uint64_t sent_ = 0;
};

INSTANTIATE_TEST_SUITE_P(Every, TransportContract, testing::ValuesIn(every_transport()),
                         [](const auto& maker) { return maker.param.transport; });

TEST_P(TransportContract, HasNothingToDeliverBeforeTheFirstPacket) {
  EXPECT_FALSE(ends_->end(1).poll(checker_.dispatcher()));
  EXPECT_EQ(checker_.taken(), 0u);
}

TEST_P(TransportContract, CarriesAPacketLargeEnoughForControlMessages) { EXPECT_GE(max_payload(), 8u); }

TEST_P(TransportContract, DeliversEverySizeUpToTheLargest) {
  // All of them where they are few; beyond, odd steps and the last hundred.
  constexpr std::size_t kAllUpTo = std::size_t{16} << 10;
  for (std::size_t bytes = 0; bytes <= max_payload();) {
    send(bytes);
    poll_until_all_are_here();
    ASSERT_EQ(checker_.last_bytes(), bytes);
    ASSERT_FALSE(HasFailure());
    bytes +=
        bytes < kAllUpTo || bytes + 100 > max_payload() ? 1 : std::min<std::size_t>(997, max_payload() - bytes - 99);
  }
}

TEST_P(TransportContract, DeliversInOrderAndExactlyOnceWhileItsMemoryWrapsAround) {
  base::Rng rng(11);
  for (int packet = 0; packet < 20'000 && !HasFailure(); ++packet) {
    // Mostly small, so that packets begin at many places; sometimes any size, so that they end at the edge.
    send(rng.percent(80) ? rng.below(std::min<std::size_t>(max_payload(), 200) + 1)
                         : rng.below(std::min<std::size_t>(max_payload(), 16384) + 1));
    if (rng.percent(20)) poll();
  }
  poll_until_all_are_here();
  for (int looks = 0; looks < 100; ++looks) poll();
  EXPECT_EQ(checker_.taken(), sent_);
}

TEST_P(TransportContract, SaysFullInsteadOfLosingPacketsAndGoesOnWhenThereIsRoom) {
  base::Rng rng(12);
  for (std::size_t bytes : {std::size_t{0}, std::size_t{8}, std::min<std::size_t>(max_payload() / 2, 1000),
                            std::min<std::size_t>(max_payload(), 8192)})
    for (int round = 0; round < 10; ++round) {
      int accepted = 0;
      while (try_send(bytes)) ASSERT_LT(++accepted, kPatience) << "accepts without end what nobody takes";
      for (int looks = rng.below(3); looks > 0; --looks) poll();
      send(bytes);
      poll_until_all_are_here();
      ASSERT_FALSE(HasFailure());
    }
}

TEST_P(TransportContract, KeepsABoundedAmountForAReceiverThatNeverPolls) {
  constexpr std::size_t kBound = std::size_t{4} << 20;
  for (const std::size_t bytes : {max_payload(), std::size_t{0}}) {
    std::size_t kept = 0;
    for (; try_send(bytes); kept += bytes + sizeof(transport::PacketHeader)) ASSERT_LT(kept, kBound);
    poll_until_all_are_here();
  }
}

TEST_P(TransportContract, LetsAHandlerSend) {
  // Every packet is answered from within its handler; the answers come back in order as well.
  const auto back = ends_->end(1).connect(ends_->name(0));
  if (&ends_->end(0) == &ends_->end(1)) GTEST_SKIP() << "one end: its answers would be answered";
  std::uint64_t answered = 0;
  const auto answer_all = [&] {
    while (answered < checker_.taken() && back->try_send(header_of(answered), {}) == SendStatus::sent) ++answered;
  };
  checker_.then = [&](std::uint64_t) { answer_all(); };
  for (int packet = 0; packet < 1000; ++packet) {
    send(8);
    answer_all();
    ends_->end(0).poll(answers_.dispatcher());
  }
  poll_until_all_are_here();
  for (int looks = 0; answers_.taken() < sent_; ++looks) {
    ASSERT_LT(looks, kPatience);
    answer_all();
    poll();
  }
}

TEST_P(TransportContract, KeepsTwoDirectionsApart) {
  if (&ends_->end(0) == &ends_->end(1)) GTEST_SKIP() << "one end has one direction";
  const auto back = ends_->end(1).connect(ends_->name(0));
  std::uint64_t sent_back = 0;
  for (int packet = 0; packet < 2000; ++packet) {
    send(static_cast<std::size_t>(packet) % (max_payload() + 1));
    const std::byte* content = content_of(sent_back, 8);
    if (back->try_send(header_of(sent_back), {content, 8}) == SendStatus::sent) ++sent_back;
    ends_->end(0).poll(answers_.dispatcher());
  }
  poll_until_all_are_here();
  for (int looks = 0; answers_.taken() < sent_back; ++looks) {
    ASSERT_LT(looks, kPatience);
    poll();
  }
  EXPECT_GT(sent_back, 0u);
}

}  // namespace
}  // namespace antiphon::contract
