// Collectives over a board that do not block: any number of them under way, on several communicators, among others
// that block, ended in any order, on a simulated machine on which whoever looks in vain sleeps at once. 1 to 9 ranks,
// and 64.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <deque>
#include <memory>
#include <numeric>
#include <span>
#include <vector>

#include "boarded.hpp"
#include "engine/coll/boards/boards.hpp"
#include "seeds.hpp"
#include "world.hpp"

namespace antiphon::sim {
namespace {

using coll::Reduction;
using coll::Region;
using coll::Vector;
using objects::Comm;
using objects::Ref;
using Numbers = std::vector<std::int32_t>;

const Reduction kAdding = Reduction::of(objects::Op::Kind::sum, objects::Element::int32, 4);

// One collective, and what it must give.
class Act {
 public:
  enum class Kind { barrier, allreduce, reduce_scatter, allgather, alltoall };
  static constexpr int kKinds = 5;

  Act(Kind kind, std::size_t count, bool in_place, const Comm& comm, int round)
      : kind_(kind), count_(count), in_place_(in_place) {
    const int ranks = comm.size();
    const bool one_for_each = kind == Kind::alltoall || kind == Kind::reduce_scatter;
    const bool adds = kind == Kind::allreduce || kind == Kind::reduce_scatter;
    const auto drawn = [&](int from, int to) { return round * 1000 + from * 20 + (one_for_each ? to : 0); };
    int sum = 0;
    for (int rank = 0; rank < ranks; ++rank) {
      if (one_for_each || rank == comm.rank()) out_.insert(out_.end(), count, drawn(comm.rank(), rank));
      if (!adds) expected_.insert(expected_.end(), count, drawn(rank, comm.rank()));
      sum += drawn(rank, comm.rank());
    }
    if (adds) expected_.assign(count, sum);
    in_.assign(std::max(out_.size(), expected_.size()), -1);
    if (!in_place) return;
    if (kind == Kind::allgather)
      std::ranges::copy(out_, in_.begin() + static_cast<std::ptrdiff_t>(count) * comm.rank());
    else
      in_ = out_;
  }

  void call(coll::Collectives& coll, Comm& comm, coll::Deferred* later) {
    const auto give = [this](auto&& given) { return in_place_ ? std::nullopt : std::optional(given); };
    const Region out{out_.data(), 4 * out_.size()}, in{in_.data(), 4 * in_.size()};
    switch (kind_) {
      case Kind::barrier:
        return coll.barrier(comm, later);
      case Kind::allreduce:
        return coll.allreduce(give(Vector(out_.data(), count_, kAdding)), {in_.data(), count_, kAdding}, comm, later);
      case Kind::reduce_scatter: {
        Numbers& all = in_place_ ? in_ : out_;
        return coll.reduce_scatter(Vector(all.data(), all.size(), kAdding), coll::Shares(count_),
                                   {in_.data(), count_, kAdding}, comm, later);
      }
      case Kind::allgather:
        return coll.allgather(give(out), in, comm, later);
      case Kind::alltoall:
        return coll.alltoall(give(out), in, comm, later);
    }
  }
  [[nodiscard]] bool went_well() const {
    return kind_ == Kind::barrier || std::ranges::equal(std::span(in_).first(expected_.size()), expected_);
  }

 private:
  Kind kind_;
  std::size_t count_;
  bool in_place_;
  Numbers out_, in_, expected_;
};

struct UnderWay {
  std::unique_ptr<Act> act;
  Ref<objects::Request> request;
};

UnderWay begin(Rank& rank, Comm& comm, std::unique_ptr<Act> act) {
  coll::Deferred later{coll::Deferred::Times::once};
  act->call(rank.engines().coll(), comm, &later);
  if (!later.begun)
    later.begun = rank.engines().replays().start(std::make_shared<const coll::Plan>(std::move(later.plan)), comm,
                                                 comm.next_nonblocking_tag());
  return {std::move(act), std::move(later.begun)};
}

void run_random_program(std::uint64_t seed) {
  base::Rng rng(seed);
  const int ranks = 1 + rng.below(9);
  struct Call {
    int comm;
    Act::Kind kind;
    std::size_t count;
    bool in_place, blocks;
  };
  std::vector<Call> program;
  const unsigned percent_blocking = rng.below(3u) * 20, percent_long = rng.below(2u) * 10;
  for (int calls = 10 + rng.below(300); calls > 0; --calls)
    program.push_back({rng.percent(70) ? 0 : 1, static_cast<Act::Kind>(rng.below(Act::kKinds)),
                       rng.percent(percent_long) ? 300u : rng.below(rng.percent(60) ? 3u : 15u), rng.percent(30),
                       rng.percent(percent_blocking)});
  World world(ranks, {}, seed, service::Contexts::kAsManyAsThereAre, counting());
  const std::size_t most_under_way = rng.percent(30) ? 200 : 10;
  const std::string report = world.run([&](Rank& rank) {
    const int me = rank.number();
    base::Rng own(seed + 1000 * static_cast<std::uint64_t>(me + 1));
    std::vector<int> all(static_cast<std::size_t>(ranks)), even;
    std::iota(all.begin(), all.end(), 0);
    for (int each = 0; each < ranks; each += 2) even.push_back(each);
    const std::array<Ref<Comm>, 2> comms{comm_of(all, me, 8), me % 2 == 0 ? comm_of(even, me, 16) : Ref<Comm>{}};
    std::deque<UnderWay> under_way;
    const auto end_one = [&](std::size_t which) {
      UnderWay& one = under_way[which];
      rank.progress().wait(*one.request);
      EXPECT_TRUE(one.act->went_well()) << "seed " << seed << " rank " << me;
      under_way.erase(under_way.begin() + static_cast<std::ptrdiff_t>(which));
    };
    for (int round = 0; round < static_cast<int>(program.size()); ++round) {
      const Call& call = program[static_cast<std::size_t>(round)];
      const Ref<Comm>& comm = comms[static_cast<std::size_t>(call.comm)];
      if (own.percent(5))
        for (int times = own.below(60); times > 0; --times) rank.yield();
      if (!comm) continue;
      auto act = std::make_unique<Act>(call.kind, call.count, call.in_place, *comm, round);
      if (call.blocks || round < kBeforeABoard) {
        act->call(rank.engines().coll(), *comm, nullptr);
        EXPECT_TRUE(act->went_well()) << "seed " << seed << " rank " << me << " round " << round;
      } else {
        under_way.push_back(begin(rank, *comm, std::move(act)));
      }
      if (own.percent(20)) rank.progress().poll();
      while (under_way.size() > most_under_way || (!under_way.empty() && own.percent(20)))
        end_one(static_cast<std::size_t>(own.below(static_cast<int>(under_way.size()))));
    }
    while (!under_way.empty()) end_one(static_cast<std::size_t>(own.below(static_cast<int>(under_way.size()))));
  });
  ASSERT_EQ(report, "") << "seed " << seed;
}

TEST(Exchanges, RandomOnesThatDoNotBlockGiveWhatTheyMust) {
  const Seeds wanted = seeds(300);
  for (std::uint64_t seed = wanted.first; seed <= wanted.last; ++seed) run_random_program(seed);
}

// More of them than there are lines. Some of the time a rank sleeps for room in its lines, and then for others.
TEST(Exchanges, ARankThatRunsAheadOverwritesNothingThatIsStillToBeRead) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    base::Rng rng(seed);
    World world(2 + rng.below(8), {}, seed);
    const int lazy = rng.below(2 * world.size());  // perhaps nobody
    EXPECT_EQ(
        run_with_board(world,
                       [&](Rank& rank, Comm& comm) {
                         std::vector<UnderWay> all;
                         for (int round = 0; round < 600; ++round) {
                           for (int i = 0; i < 20 && rank.number() == lazy; ++i) rank.yield();
                           const std::size_t count = round % 5 == 0 ? 7 : 2;
                           all.push_back(begin(
                               rank, comm, std::make_unique<Act>(Act::Kind::allreduce, count, false, comm, round)));
                         }
                         for (const UnderWay& each : all) {
                           rank.progress().wait(*each.request);
                           EXPECT_TRUE(each.act->went_well()) << "seed " << seed;
                         }
                       }),
        "");
  }
}

TEST(Exchanges, NoPacketIsSentAndNobodyIsWokenInVain) {
  for (const int ranks : {2, 3, 8, 64}) {
    settings::Values values;
    values.board_ranks = 64;
    World world(ranks, {}, 7, service::Contexts::kAsManyAsThereAre, values);
    std::size_t begun = 0;
    constexpr int kRounds = 50;
    EXPECT_EQ(run_with_board(world,
                             [&](Rank& rank, Comm& comm) {
                               rank.engines().coll().barrier(comm);
                               if (begun == 0) begun = world.trace().size();
                               for (int round = 0; round < kRounds; ++round) {
                                 const UnderWay one = begin(
                                     rank, comm, std::make_unique<Act>(Act::Kind::allreduce, 2, false, comm, round));
                                 rank.progress().wait(*one.request);
                                 EXPECT_TRUE(one.act->went_well());
                               }
                             }),
              "");
    EXPECT_EQ(count_of(world.trace(), TraceEvent::What::packet, begun), 0);
    EXPECT_LE(count_of(world.trace(), TraceEvent::What::wake, begun), (kRounds + 1) * (ranks - 1));
    EXPECT_LE(count_of(world.trace(), TraceEvent::What::park, begun), (kRounds + 1) * (ranks - 1));
  }
}

// One that sleeps for a message goes on with them meanwhile.
TEST(Exchanges, GoOnWhileTheRankSleepsForSomethingElse) {
  World world(3, {}, 5);
  EXPECT_EQ(run_with_board(world,
                           [&](Rank& rank, Comm& comm) {
                             const auto barrier = [&](int round) {
                               return begin(rank, comm,
                                            std::make_unique<Act>(Act::Kind::barrier, 0, false, comm, round));
                             };
                             const UnderWay first = barrier(0);
                             std::int32_t word = 0;
                             if (rank.number() == 0) {
                               const Ref<objects::Request> receive =
                                   rank.pt2pt().start_receive({&word, sizeof word, 1, 0, comm, comm.user_space()});
                               rank.progress().wait(*receive);
                               EXPECT_TRUE(first.request->done());
                             } else {
                               rank.progress().wait(*first.request);
                               if (rank.number() == 1) {
                                 const Ref<objects::Request> send =
                                     rank.pt2pt().start_send({&word, sizeof word, 0, 0, comm, comm.user_space()});
                                 if (send) rank.progress().wait(*send);
                               }
                             }
                             rank.progress().wait(*barrier(1).request);
                           }),
            "");
}

TEST(Exchanges, WhoWaitsForWhomIsTold) {
  World world(3, {}, 2);
  const std::string report = run_with_board(world, [&](Rank& rank, Comm& comm) {
    if (rank.number() == 1) return;
    const UnderWay one = begin(rank, comm, std::make_unique<Act>(Act::Kind::barrier, 0, false, comm, 0));
    rank.progress().wait(*one.request);
  });
  EXPECT_NE(report.find("rank 0 waits for rank 1"), std::string::npos) << report;
}

TEST(Exchanges, RanksInDifferentOnesAreToldWhoHasBegunWhat) {
  World world(2, {}, 6);
  std::array<std::string, 2> told;
  EXPECT_EQ(run_with_board(world,
                           [&](Rank& rank, Comm& comm) {
                             const auto kind = rank.number() == 0 ? Act::Kind::barrier : Act::Kind::allreduce;
                             const UnderWay one = begin(rank, comm, std::make_unique<Act>(kind, 2, false, comm, 0));
                             rank.progress().wait(*one.request);
                             if (one.request->outcome.error != 0)
                               told[static_cast<std::size_t>(rank.number())] = one.request->failure();
                             const UnderWay next =
                                 begin(rank, comm, std::make_unique<Act>(Act::Kind::allgather, 1, false, comm, 1));
                             rank.progress().wait(*next.request);
                             EXPECT_TRUE(next.act->went_well());
                           }),
            "");
  EXPECT_NE(told[0].find(
                "rank 1 of some has begun MPI_Allreduce of 8 bytes with root 0 and MPI_SUM, this rank MPI_Barrier"),
            std::string::npos)
      << told[0];
  EXPECT_NE(told[1].find("rank 0 of some has begun MPI_Barrier"), std::string::npos) << told[1];
}

// Whoever begins first.
TEST(Exchanges, RanksThatDisagreeHowLongOneIsAreToldSo) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    World world(2, {}, seed);
    std::array<std::string, 2> told;
    EXPECT_EQ(
        run_with_board(world,
                       [&](Rank& rank, Comm& comm) {
                         const std::size_t count = rank.number() == 0 ? 2 : 4;
                         const auto is_sum = Act::Kind::allreduce;
                         const UnderWay one = begin(rank, comm, std::make_unique<Act>(is_sum, count, false, comm, 0));
                         const UnderWay next = begin(rank, comm, std::make_unique<Act>(is_sum, 2, false, comm, 1));
                         rank.progress().wait(*one.request);
                         if (one.request->outcome.error != 0)
                           told[static_cast<std::size_t>(rank.number())] = one.request->failure();
                         rank.progress().wait(*next.request);
                         EXPECT_TRUE(next.act->went_well());
                       }),
        "");
    EXPECT_NE(told[0].find("rank 1 of some has begun MPI_Allreduce of 16 bytes"), std::string::npos) << told[0];
    EXPECT_NE(told[1].find("rank 0 of some has begun MPI_Allreduce of 8 bytes"), std::string::npos) << told[1];
  }
}

}  // namespace
}  // namespace antiphon::sim
