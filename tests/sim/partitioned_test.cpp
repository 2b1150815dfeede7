// Partitioned operations over a network that delays, refuses and has tiny packets: random numbers of partitions on
// both sides, made ready in random order, several starts.
#include <gtest/gtest.h>

#include <deque>
#include <numeric>

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
    const std::size_t send = 1 + rng.below(std::size_t{12}), receive = 1 + rng.below(std::size_t{12});
    operation = {.from = rng.below(job.ranks),
                 .to = rng.below(job.ranks),
                 .tag = rng.below(2),
                 .bytes = std::lcm(send, receive) * rng.below(std::size_t{20}),
                 .send_partitions = send,
                 .receive_partitions = receive};
  }
  return job;
}

PartitionedBuffer whole(std::vector<std::byte>& memory, std::size_t partitions) {
  return {
      memory.data(), memory.size(), partitions, static_cast<std::int64_t>(memory.size() / partitions), nullptr, {}};
}

class Side {
 public:
  Side(const Job& job, std::uint64_t seed) : job_(job), rng_(seed) {}

  // What went wrong, or nothing.
  std::string run(Rank& rank, const Ref<objects::Group>& everybody) {
    const auto comm = Ref<objects::Comm>::adopt(
        new objects::Comm(objects::kWorldContext, everybody, rank.number(), {}, "everybody"));
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
      const std::size_t each = mine.memory.size() / order.size();
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
    const std::size_t partitions = mine.request->partitions(), one = rng_.below(partitions);
    const std::size_t each = mine.memory.size() / partitions;
    rank.progress().wait([&] { return mine.request->arrived(one); },
                         [] { return progress::WaitReason{.communicator = "a partition"}; });
    std::string complaint = check(mine, start, one * each, (one + 1) * each);
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
    const auto everybody = Ref<objects::Group>::adopt(new objects::Group(job.ranks));
    std::string complaint;
    const std::string deadlock = world.run(
        [&](Rank& rank) { complaint += sides[static_cast<std::size_t>(rank.number())].run(rank, everybody); });
    ASSERT_EQ(deadlock + complaint, "") << "seed " << seed;
  }
}

}  // namespace
}  // namespace antiphon::sim
