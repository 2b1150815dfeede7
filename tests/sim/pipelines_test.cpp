// Long messages through pipes, between engines: order, back-pressure, truncation, cancelling, and a peer that sleeps.
#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <vector>

#include "abi/constants.hpp"
#include "world.hpp"

namespace antiphon::sim {
namespace {

using objects::Comm;
using objects::Group;
using objects::Ref;
using pt2pt::ReceiveRequest;
using pt2pt::SendRequest;

constexpr std::size_t kLong = 5000;

settings::Values by_pipes() {
  settings::Values values;
  values.bulk_way = settings::BulkWay::pipes;
  return values;
}

// Pipes as short as they get, so that each message goes around many times.
constexpr transport::sim::Conditions kConditions{.pipes = 1, .pipe_bytes = 64};

using Bytes = std::vector<std::byte>;
Bytes message(int number, std::size_t bytes = kLong) {
  Bytes made(bytes);
  for (std::size_t i = 0; i < bytes; ++i)
    made[i] = static_cast<std::byte>(static_cast<std::size_t>(number) * 31 + i * 7 + i / 256);
  return made;
}

class Member {
 public:
  Member(Rank& rank, int ranks) : rank_(rank) {
    const auto everybody = Ref<Group>::adopt(new Group(ranks));
    comm_ = Ref<Comm>::adopt(new Comm(objects::kWorldContext, everybody, rank.number(), {}, "everybody"));
  }
  Ref<SendRequest> send(const Bytes& bytes, int to, int tag) {
    return rank_.pt2pt().start_send({.buffer = bytes.data(),
                                     .bytes = bytes.size(),
                                     .destination = to,
                                     .tag = tag,
                                     .comm = *comm_,
                                     .space = comm_->user_space()});
  }
  Ref<ReceiveRequest> receive(Bytes& into, int from, int tag) {
    return rank_.pt2pt().start_receive({.buffer = into.data(),
                                        .capacity = into.size(),
                                        .source = from,
                                        .tag = tag,
                                        .comm = *comm_,
                                        .space = comm_->user_space()});
  }
  template <class Request>
  void wait(const Ref<Request>& request) {
    if (request) rank_.progress().wait(*request);
  }

 private:
  Rank& rank_;
  Ref<Comm> comm_;
};

template <class Body>
void run(World& world, Body&& body) {
  EXPECT_EQ(world.run([&](Rank& rank) {
    Member member(rank, world.size());
    body(rank, member);
  }),
            "");
}

TEST(Pipelines, KeepTheOrderInWhichTheReceiverAsks) {
  constexpr int kMessages = 20;
  World world(2, kConditions, 1, service::Contexts::kAsManyAsThereAre, by_pipes());
  run(world, [&](Rank& rank, Member& member) {
    std::vector<Bytes> bytes;
    if (rank.number() == 0) {
      std::vector<Ref<SendRequest>> sends;
      for (int i = 0; i < kMessages; ++i) bytes.push_back(message(i, 1000 + static_cast<std::size_t>(i) * 37));
      for (int i = 0; i < kMessages; ++i) sends.push_back(member.send(bytes[static_cast<std::size_t>(i)], 1, i));
      for (const auto& send : sends) member.wait(send);
    } else {
      std::vector<Ref<ReceiveRequest>> receives;
      bytes.assign(kMessages, Bytes(kLong));
      for (int i = kMessages - 1; i >= 0; --i)  // the last first
        receives.push_back(member.receive(bytes[static_cast<std::size_t>(i)], 0, i));
      for (const auto& receive : receives) member.wait(receive);
      for (int i = 0; i < kMessages; ++i) {
        Bytes& got = bytes[static_cast<std::size_t>(i)];
        got.resize(1000 + static_cast<std::size_t>(i) * 37);
        EXPECT_EQ(got, message(i, got.size())) << i;
      }
    }
  });
  EXPECT_EQ(world.rank(1).counters().long_messages_in_pipes.value(), static_cast<std::uint64_t>(kMessages));
}

TEST(Pipelines, BringNoMoreThanThereIsRoomFor) {
  World world(2, kConditions, 2, service::Contexts::kAsManyAsThereAre, by_pipes());
  run(world, [&](Rank& rank, Member& member) {
    if (rank.number() == 0) {
      const Bytes first = message(1), second = message(2);
      const auto one = member.send(first, 1, 0), other = member.send(second, 1, 0);
      member.wait(one);
      member.wait(other);
    } else {
      Bytes some(1001, std::byte{0}), all(kLong);
      some.back() = std::byte{0xee};
      Bytes room(some.begin(), some.end() - 1);
      const auto truncated = member.receive(room, 0, 0);
      member.wait(truncated);
      EXPECT_EQ(truncated->outcome.error, abi::ERR_TRUNCATE);
      EXPECT_EQ(room, message(1, 1000));
      member.wait(member.receive(all, 0, 0));
      EXPECT_EQ(all, message(2));
    }
  });
}

// Rank 0 does not look while rank 1 sends to it, and rank 2 has another pipe.
TEST(Pipelines, HoldUpNobodyButThePairWhoseSenderDoesNotLook) {
  transport::sim::Conditions conditions = kConditions;
  conditions.pipes = 2;
  for (const unsigned pipes : {1u, 2u}) {
    conditions.pipes = pipes;
    World world(3, conditions, 3, service::Contexts::kAsManyAsThereAre, by_pipes());
    bool goes_on = false;  // the sender that was busy
    run(world, [&](Rank& rank, Member& member) {
      const Bytes sent = message(rank.number());
      Bytes from_busy(kLong), from_other(kLong);
      switch (rank.number()) {
        case 0: {
          const auto busy = member.receive(from_busy, 1, 0);
          while (!goes_on) rank.yield(), rank.progress().poll();
          member.wait(member.receive(from_other, 2, 0));
          EXPECT_EQ(from_other, message(2));
          EXPECT_FALSE(busy->done());
          goes_on = false;
          member.wait(busy);
          EXPECT_EQ(from_busy, message(1));
          break;
        }
        case 1: {
          const auto send = member.send(sent, 0, 0);
          for (int i = 0; i < 50; ++i) rank.yield();
          goes_on = true;
          while (goes_on) rank.yield();
          member.wait(send);
          break;
        }
        default:
          member.wait(member.send(sent, 0, 0));
      }
    });
    // Without a free pipe it takes another way.
    EXPECT_EQ(world.rank(0).counters().long_messages_in_pipes.value(), pipes);
    EXPECT_EQ(world.rank(0).counters().long_messages_in_packets.value(), 2 - pipes);
  }
}

TEST(Pipelines, AreLentToOthersWhenNothingIsUnderWay) {
  constexpr int kRanks = 6;
  World world(kRanks, kConditions, 4, service::Contexts::kAsManyAsThereAre, by_pipes());
  run(world, [&](Rank& rank, Member& member) {
    for (int round = 0; round < 3; ++round)
      for (int sender = 1; sender < kRanks; ++sender) {
        if (rank.number() == sender) {
          const Bytes sent = message(sender + round);
          member.wait(member.send(sent, 0, round));
        }
        if (rank.number() == 0) {
          Bytes got(kLong);
          member.wait(member.receive(got, sender, round));
          EXPECT_EQ(got, message(sender + round));
        }
      }
  });
  EXPECT_EQ(world.rank(0).counters().long_messages_in_pipes.value(), 3u * (kRanks - 1));
}

// All send at once, so that blocks are cut and moved while messages are under way.
TEST(Pipelines, ShareTheirMemoryAmongThoseWhoSendAtOnce) {
  constexpr int kRanks = 9, kRounds = 40;
  transport::sim::Conditions conditions = kConditions;
  conditions.pipes = kRanks - 1;
  conditions.pipe_bytes = 256;
  World world(kRanks, conditions, 8, service::Contexts::kAsManyAsThereAre, by_pipes());
  run(world, [&](Rank& rank, Member& member) {
    for (int round = 0; round < kRounds; ++round) {
      if (rank.number() != 0) {
        if (round % rank.number() == 0) member.wait(member.send(message(rank.number() + round), 0, round));
        continue;
      }
      std::vector<Bytes> got(kRanks, Bytes(kLong));
      std::vector<Ref<ReceiveRequest>> receives;
      for (int from = 1; from < kRanks; ++from)
        if (round % from == 0) receives.push_back(member.receive(got[static_cast<std::size_t>(from)], from, round));
      for (const auto& receive : receives) member.wait(receive);
      for (int from = 1; from < kRanks; ++from) {
        const bool sent = round % from == 0;
        EXPECT_EQ(got[static_cast<std::size_t>(from)], sent ? message(from + round) : Bytes(kLong)) << from;
      }
    }
  });
  EXPECT_GT(world.rank(0).counters().long_messages_in_pipes.value(), std::uint64_t{kRounds} * 2);
}

TEST(Pipelines, LetGoOfAMessageThatIsTakenBackBeforeAnybodyWantsIt) {
  World world(2, kConditions, 5, service::Contexts::kAsManyAsThereAre, by_pipes());
  run(world, [&](Rank& rank, Member& member) {
    Bytes bytes = message(1);
    if (rank.number() == 0) {
      const auto never = member.send(bytes, 1, 7);
      rank.pt2pt().cancel(*never);
      member.wait(never);
      EXPECT_TRUE(never->outcome.cancelled);
      const Bytes next = message(2);
      member.wait(member.send(next, 1, 8));
    } else {
      member.wait(member.receive(bytes, 0, 8));
      EXPECT_EQ(bytes, message(2));
    }
  });
}

TEST(Pipelines, AreUsedBothWaysAtOnce) {
  World world(2, kConditions, 6, service::Contexts::kAsManyAsThereAre, by_pipes());
  run(world, [&](Rank& rank, Member& member) {
    for (int round = 0; round < 10; ++round) {
      const Bytes mine = message(round * 2 + rank.number());
      Bytes theirs(kLong);
      const auto receive = member.receive(theirs, 1 - rank.number(), 0);
      const auto send = member.send(mine, 1 - rank.number(), 0);
      member.wait(send);
      member.wait(receive);
      EXPECT_EQ(theirs, message(round * 2 + 1 - rank.number()));
    }
  });
}

TEST(Pipelines, AreTakenWhereTheSystemDoesNotCopy) {
  constexpr int kMessages = 50;
  transport::sim::Conditions conditions = kConditions;
  conditions.system_copies = false;
  World world(2, conditions, 7);
  run(world, [&](Rank& rank, Member& member) {
    for (int i = 0; i < kMessages; ++i) {
      Bytes bytes = message(i);
      if (rank.number() == 0)
        member.wait(member.send(bytes, 1, 0));
      else
        member.wait(member.receive(bytes, 0, 0));
    }
  });
  const counters::Counters& counters = world.rank(1).counters();
  EXPECT_EQ(counters.long_messages_in_pipes.value() + counters.long_messages_streamed.value(),
            static_cast<std::uint64_t>(kMessages));
}

}  // namespace
}  // namespace antiphon::sim
