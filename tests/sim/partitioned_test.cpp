// Partitioned operations over a network that delays, refuses and has tiny packets: random numbers of partitions on
// both sides, made ready in random order, several starts. 1 to 4 ranks.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <numeric>
#include <optional>

#include "base/rng.hpp"
#include "program.hpp"
#include "seeds.hpp"
#include "user_buffer.hpp"
#include "world.hpp"

namespace antiphon::sim {
namespace {

using objects::Ref;
using pt2pt::PartitionedBuffer;

std::byte content(int operation, int start, std::size_t index) {
  return static_cast<std::byte>(
      (static_cast<std::size_t>(operation) * 37 + static_cast<std::size_t>(start) * 11 + index * 3 + index / 200) &
      0xff);
}

// From one rank to another, whose sides are cut differently.
struct Operation {
  int from, to, tag;
  std::size_t bytes, send_partitions, receive_partitions;
};

struct Job {
  int ranks, starts;
  std::vector<Operation> operations;
};

Job random_job(base::Rng& rng) {
  Job job{.ranks = 1 + rng.below(4), .starts = 1 + rng.below(3), .operations = {}};
  job.operations.resize(static_cast<std::size_t>(1 + rng.below(6)));
  for (Operation& operation : job.operations) {
    const std::size_t send = rng.below(std::size_t{13}), receive = rng.below(std::size_t{13});
    operation = {.from = rng.below(job.ranks),
                 .to = rng.below(job.ranks),
                 .tag = rng.below(2),
                 .bytes = std::lcm(send, receive) * rng.below(std::size_t{20}),  // 0 where a side has no partition
                 .send_partitions = send,
                 .receive_partitions = receive};
  }
  return job;
}

PartitionedBuffer whole(std::vector<std::byte>& memory, std::size_t partitions) {
  const std::size_t each = partitions == 0 ? 0 : memory.size() / partitions;
  return {memory.data(), memory.size(), partitions, static_cast<std::int64_t>(each), nullptr, {}};
}

void await(Rank& rank, const pt2pt::PartitionedReceive& receive, std::size_t partition) {
  rank.progress().wait([&] { return receive.arrived(partition); },
                       [] { return progress::WaitReason{.communicator = "a partition"}; });
}

Ref<objects::Comm> everybody(const Rank& rank, int ranks) {
  return Ref<objects::Comm>::adopt(new objects::Comm(
      objects::kWorldContext, Ref<objects::Group>::adopt(new objects::Group(ranks)), rank.number(), {}, "everybody"));
}

class Side {
 public:
  Side(const Job& job, std::uint64_t seed) : job_(job), rng_(seed) {}

  // What went wrong, or nothing.
  std::string run(Rank& rank) {
    const Ref<objects::Comm> comm = everybody(rank, job_.ranks);
    for (int i = 0; i < static_cast<int>(job_.operations.size()); ++i) {
      const Operation& operation = job_.operations[static_cast<std::size_t>(i)];
      if (operation.from == rank.number()) {
        Sending& mine = sending_.emplace_back(Sending{i, std::vector<std::byte>(operation.bytes), {}});
        mine.request = rank.engines().partitioned().make_send(whole(mine.memory, operation.send_partitions),
                                                              operation.to, operation.tag, *comm);
      }
      if (operation.to == rank.number()) {
        Receiving& mine = receiving_.emplace_back(Receiving{i, std::vector<std::byte>(operation.bytes), {}});
        mine.request = rank.engines().partitioned().make_receive(whole(mine.memory, operation.receive_partitions),
                                                                 operation.from, operation.tag, *comm);
      }
    }
    std::string complaint;
    for (int start = 0; start < job_.starts; ++start) complaint += once(rank, start);
    return complaint;
  }

 private:
  struct Sending {
    int operation;
    std::vector<std::byte> memory;
    Ref<pt2pt::PartitionedSend> request;
  };
  struct Receiving {
    int operation;
    std::vector<std::byte> memory;
    Ref<pt2pt::PartitionedReceive> request;
  };

  std::string once(Rank& rank, int start) {
    for (Receiving& mine : receiving_) {
      std::ranges::fill(mine.memory, std::byte{0xee});
      mine.request->start();
    }
    for (Sending& mine : sending_) mine.request->start();
    for (Sending& mine : sending_) {
      std::vector<std::size_t> order(mine.request->partitions());
      std::iota(order.begin(), order.end(), std::size_t{0});
      rng_.shuffle(order);
      const std::size_t each = order.empty() ? 0 : mine.memory.size() / order.size();
      for (const std::size_t partition : order) {
        if (rng_.percent(30)) rank.progress().poll();
        if (rng_.percent(30)) rank.yield();
        for (std::size_t i = partition * each; i < (partition + 1) * each; ++i)
          mine.memory[i] = content(mine.operation, start, i);
        mine.request->ready(partition);
      }
    }
    std::string complaint;
    for (Receiving& mine : receiving_) complaint += receive(rank, mine, start);
    for (Sending& mine : sending_) {
      rank.progress().wait(*mine.request->active());
      mine.request->deactivate();
    }
    return complaint;
  }

  // First one of the partitions, then all.
  std::string receive(Rank& rank, Receiving& mine, int start) {
    std::string complaint = mine.request->partitions() == 0 ? "" : receive_one(rank, mine, start);
    rank.progress().wait(*mine.request->active());
    complaint += check(mine, start, 0, mine.memory.size());
    const objects::Outcome& outcome = mine.request->active()->outcome;
    const Operation& operation = job_.operations[static_cast<std::size_t>(mine.operation)];
    if (outcome.source != operation.from || outcome.tag != operation.tag ||
        outcome.bytes != static_cast<std::int64_t>(operation.bytes))
      complaint += "a wrong status\n";
    mine.request->deactivate();
    return complaint;
  }

  std::string receive_one(Rank& rank, Receiving& mine, int start) {
    const std::size_t partitions = mine.request->partitions(), one = rng_.below(partitions);
    const std::size_t each = mine.memory.size() / partitions;
    await(rank, *mine.request, one);
    return check(mine, start, one * each, (one + 1) * each);
  }

  static std::string check(const Receiving& mine, int start, std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end; ++i)
      if (mine.memory[i] != content(mine.operation, start, i))
        return "operation " + std::to_string(mine.operation) + ": byte " + std::to_string(i) + " is wrong\n";
    return {};
  }

  const Job& job_;
  base::Rng rng_;
  std::deque<Sending> sending_;
  std::deque<Receiving> receiving_;
};

TEST(Partitioned, ArrivesWholeForEverySeed) {
  const auto [first, last] = seeds(1000);
  for (std::uint64_t seed = first; seed <= last; ++seed) {
    base::Rng rng(seed);
    const Job job = random_job(rng);
    World world(job.ranks, random_program(seed).conditions, seed);
    std::deque<Side> sides;
    for (int rank = 0; rank < job.ranks; ++rank) sides.emplace_back(job, seed * 31 + static_cast<unsigned>(rank));
    std::string complaint;
    const std::string deadlock =
        world.run([&](Rank& rank) { complaint += sides[static_cast<std::size_t>(rank.number())].run(rank); });
    ASSERT_EQ(deadlock + complaint, "") << "seed " << seed;
  }
}

// One side of an operation: its memory, and the request, which is one of the two.
class OneSide {
 public:
  static OneSide sending(Rank& rank, int to, std::int32_t tag, objects::Comm& comm, std::size_t bytes,
                         std::size_t partitions, std::byte content = {}) {
    OneSide side(rank, bytes, content);
    side.send_ = rank.engines().partitioned().make_send(whole(side.memory_, partitions), to, tag, comm);
    return side;
  }
  static OneSide receiving(Rank& rank, int from, std::int32_t tag, objects::Comm& comm, std::size_t bytes,
                           std::size_t partitions) {
    OneSide side(rank, bytes, {});
    side.receive_ = rank.engines().partitioned().make_receive(whole(side.memory_, partitions), from, tag, comm);
    return side;
  }

  void start() { request().start(); }
  void make_ready() {
    for (std::size_t partition = 0; partition < send_->partitions(); ++partition) send_->ready(partition);
  }
  void await_partitions() {
    for (std::size_t partition = 0; partition < receive_->partitions(); ++partition)
      await(rank_, *receive_, partition);
  }
  [[nodiscard]] bool is_over() { return request().active()->done(); }
  // The sentence of the error with which it ended, or nothing.
  std::string wait() {
    rank_.progress().wait(*request().active());
    const objects::Request& over = *request().active();
    std::string told = over.outcome.error == 0 ? "" : *over.error_text;
    request().deactivate();
    return told;
  }
  [[nodiscard]] bool has_only(std::byte content) const {
    return std::ranges::all_of(memory_, [&](std::byte each) { return each == content; });
  }

 private:
  OneSide(Rank& rank, std::size_t bytes, std::byte content) : rank_(rank), memory_(bytes, content) {}
  objects::PersistentRequest& request() {
    return send_ ? static_cast<objects::PersistentRequest&>(*send_) : *receive_;
  }

  Rank& rank_;
  std::vector<std::byte> memory_;
  Ref<pt2pt::PartitionedSend> send_;
  Ref<pt2pt::PartitionedReceive> receive_;
};

// 2 ranks, from each to the other.
TEST(Partitioned, SidesWithoutPartitionsOrBytesEndAndWhatDoesNotFitIsTruncated) {
  struct Cut {
    std::size_t bytes, partitions;
  };
  constexpr Cut kCuts[] = {{0, 0}, {0, 1}, {0, 4}, {8, 1}, {8, 4}, {12, 3}, {4096, 4}};
  for (const int sender : {0, 1})
    for (const Cut& sent : kCuts)
      for (const Cut& room : kCuts) {
        SCOPED_TRACE(testing::Message() << sent.bytes << " bytes in " << sent.partitions << " partitions of rank "
                                        << sender << " into " << room.bytes << " in " << room.partitions);
        const std::string told = sent.bytes <= room.bytes
                                     ? ""
                                     : fmt::format(
                                           "the {} partitions of {} bytes in all from rank {} with tag 0 do "
                                           "not fit: the receive buffer holds {} bytes",
                                           sent.partitions, sent.bytes, sender, room.bytes);
        World world(2, {}, 3);
        const std::string deadlock = world.run([&](Rank& rank) {
          const Ref<objects::Comm> comm = everybody(rank, 2);
          const bool sends = rank.number() == sender;
          OneSide mine = sends ? OneSide::sending(rank, 1 - sender, 0, *comm, sent.bytes, sent.partitions)
                               : OneSide::receiving(rank, sender, 0, *comm, room.bytes, room.partitions);
          for (int start = 0; start < 2; ++start) {
            mine.start();
            sends ? mine.make_ready() : mine.await_partitions();
            EXPECT_EQ(mine.wait(), sends ? "" : told);
          }
        });
        EXPECT_EQ(deadlock, "");
      }
}

// An empty partition arrives when the sender's with its number is ready, if both have as many. 2 ranks.
TEST(Partitioned, EmptyPartitionsArriveOneByOne) {
  World world(2, {}, 4);
  const std::string deadlock = world.run([&](Rank& rank) {
    const Ref<objects::Comm> comm = everybody(rank, 2);
    constexpr std::size_t kPartitions = 3;
    const int other = 1 - rank.number();
    const auto out =
        rank.engines().partitioned().make_send({nullptr, 0, kPartitions, 0, nullptr, {}}, other, 0, *comm);
    const auto in =
        rank.engines().partitioned().make_receive({nullptr, 0, kPartitions, 0, nullptr, {}}, other, 0, *comm);
    out->start();
    in->start();
    for (std::size_t partition = 0; partition < kPartitions; ++partition) {
      out->ready(partition);
      await(rank, *in, partition);  // before the next one is ready
    }
    rank.progress().wait(*in->active());
    rank.progress().wait(*out->active());
    in->deactivate();
    out->deactivate();
  });
  EXPECT_EQ(deadlock, "");
}

RankOptions with_few_tags(int) { return {.partition_tags = 8}; }

// A pair of requests lives while tags have been given out many times over. 2 ranks, and 1 that sends to itself.
TEST(Partitioned, TagsThatAreTakenAreNotGivenOutAgain) {
  for (const int ranks : {1, 2}) {
    World world(ranks, {}, 5, with_few_tags);
    const std::string deadlock = world.run([&](Rank& rank) {
      const Ref<objects::Comm> comm = everybody(rank, ranks);
      const int to = (rank.number() + 1) % ranks;
      OneSide old_out = OneSide::sending(rank, to, 0, *comm, 30, 3, std::byte{1});
      OneSide old_in = OneSide::receiving(rank, to, 0, *comm, 30, 3);
      for (int round = 0; round < 20; ++round) {
        OneSide out = OneSide::sending(rank, to, 1, *comm, 8, 2, std::byte{2});
        OneSide in = OneSide::receiving(rank, to, 1, *comm, 8, 2);
        for (const bool connected : {false, true}) {
          in.start();  // connected, it is the first to wait for messages, of which the first are not for it
          old_in.start();
          old_out.start();
          old_out.make_ready();
          out.start();
          out.make_ready();
          EXPECT_EQ(in.wait() + old_in.wait() + old_out.wait() + out.wait(), "") << round << ' ' << connected;
          EXPECT_TRUE(in.has_only(std::byte{2}) && old_in.has_only(std::byte{1})) << round << ' ' << connected;
        }
      }
    });
    EXPECT_EQ(deadlock, "");
  }
}

// 2 ranks: the second pair of requests needs tags of the first.
TEST(Partitioned, WhoFindsNoTagsWaitsUntilOthersAreFreed) {
  for (const bool enough : {true, false}) {
    World world(2, {}, 6, [=](int) { return RankOptions{.partition_tags = enough ? 10 : 8}; });
    const std::string deadlock = world.run([&](Rank& rank) {
      const Ref<objects::Comm> comm = everybody(rank, 2);
      const bool sends = rank.number() == 0;
      const auto side = [&](std::int32_t tag) {
        return sends ? OneSide::sending(rank, 1, tag, *comm, 50, 5) : OneSide::receiving(rank, 0, tag, *comm, 50, 5);
      };
      std::optional<OneSide> first(side(0));
      OneSide second = side(1);
      for (OneSide* each : {&*first, &second}) {
        each->start();
        if (sends) each->make_ready();
      }
      EXPECT_EQ(first->wait(), "");
      for (int look = 0; look < 1000; ++look) {
        rank.progress().poll();
        rank.yield();
      }
      if (!sends) {
        EXPECT_EQ(second.is_over(), enough);
      }
      first.reset();
      EXPECT_EQ(second.wait(), "");
    });
    EXPECT_EQ(deadlock, "");
  }
}

// 1 rank.
TEST(Partitioned, MoreSendsWithoutAnswerThanThereAreTagsAreRefused) {
  World world(1, {}, 7, with_few_tags);
  const std::string deadlock = world.run([&](Rank& rank) {
    const Ref<objects::Comm> comm = everybody(rank, 1);
    std::deque<OneSide> sides;
    for (std::int32_t tag = 0; tag < 8; ++tag) sides.push_back(OneSide::sending(rank, 0, tag, *comm, 4, 1));
    try {
      (void)OneSide::sending(rank, 0, 8, *comm, 4, 1);
      ADD_FAILURE() << "a ninth send was made";
    } catch (const base::Error& error) {
      EXPECT_NE(error.message.find("all 8 tags"), std::string::npos) << error.message;
    }
  });
  EXPECT_EQ(deadlock, "");
}

// ---- what no sender and no receiver says

struct JobEnded {
  std::string why;
};

// Runs rank 0 as `honest` until the job ends, with a rank 1 that sends only `message`. Returns why it has ended.
template <class Message>
std::string ending_with(const Message& message, objects::MessageKind kind, std::int32_t tag,
                        const std::function<void(Rank&, objects::Comm&)>& honest) {
  World world(2, {}, 1);
  world.rank(0).progress().on_failure([](const base::Error& error) { throw JobEnded{error.message}; });
  try {
    return world.run([&](Rank& rank) {
      const Ref<objects::Comm> comm = everybody(rank, 2);
      if (rank.number() == 0) return honest(rank, *comm);
      rank.pt2pt().send({.buffer = &message,
                         .bytes = sizeof message,
                         .destination = 0,
                         .tag = tag,
                         .comm = *comm,
                         .space = comm->space(kind)});
    });
  } catch (const JobEnded& ended) {
    return ended.why;
  }
}

TEST(Partitioned, RefusesOffersThatCannotBeDividedAtTwoRanks) {
  using pt2pt::PartitionedOffer;
  const PartitionedOffer bad[] = {{.bytes = 100, .partitions = 3, .answer_tag = 0},
                                  {.bytes = 8, .partitions = 0, .answer_tag = 0},
                                  {.bytes = UINT64_MAX, .partitions = 1, .answer_tag = 0},
                                  {.bytes = 0, .partitions = std::uint64_t{1} << 32, .answer_tag = 0},
                                  {.bytes = 100, .partitions = 4, .answer_tag = -1}};
  for (const PartitionedOffer& offer : bad) {
    std::vector<std::byte> memory(100);
    const std::string why = ending_with(offer, objects::MessageKind::partition_offer, 5, [&](Rank& rank, auto& comm) {
      const auto receive = rank.engines().partitioned().make_receive(whole(memory, 4), 1, 5, comm);
      receive->start();
      rank.progress().wait(*receive->active());
    });
    EXPECT_NE(why.find("process 1 of the job sent a bad offer"), std::string::npos) << why;
  }
}

TEST(Partitioned, RefusesAnswersThatCannotBeFollowedAtTwoRanks) {
  using pt2pt::PartitionedAnswer;
  const PartitionedAnswer bad[] = {{.messages = 0, .first_tag = 0},
                                   {.messages = 3, .first_tag = 0},
                                   {.messages = 8, .first_tag = 0},
                                   {.messages = 2, .first_tag = INT32_MAX},
                                   {.messages = 2, .first_tag = -1}};
  for (const PartitionedAnswer& answer : bad) {
    std::vector<std::byte> memory(100);
    const std::string why =
        ending_with(answer, objects::MessageKind::partition_answer, 0, [&](Rank& rank, auto& comm) {
          const auto send = rank.engines().partitioned().make_send(whole(memory, 4), 1, 5, comm);
          send->start();
          rank.progress().wait(*send->active());
        });
    EXPECT_NE(why.find("process 1 of the job sent a bad answer"), std::string::npos) << why;
  }
}

}  // namespace
}  // namespace antiphon::sim
