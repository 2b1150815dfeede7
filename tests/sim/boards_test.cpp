// Short collectives through shared memory, over a simulated machine on which whoever looks in vain sleeps at once:
// that they give what they must, whoever runs ahead and whatever else is under way, that all who sleep are woken and
// nobody in vain, what becomes of the memory, and what happens on several nodes. 1 to 9 ranks, 16, 20 and 64.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <numeric>
#include <span>
#include <vector>

#include "base/error.hpp"
#include "boarded.hpp"
#include "collective_act.hpp"
#include "engine/coll/boards/boards.hpp"
#include "seeds.hpp"
#include "world.hpp"

namespace antiphon::sim {
namespace {

using coll::Board;
using coll::Reduction;
using coll::Region;
using coll::Vector;
using objects::Comm;
using objects::Ref;

// Carries out one collective; what is wrong then, if anything.
std::string wrong_after(const Act& act, coll::Collectives& coll, Comm& comm) {
  static const std::vector<std::unique_ptr<Elements>> all = all_elements([] {});
  ActOfRank part(act, *all[act.elements], comm.rank(), comm.size());
  part.call(coll, comm);
  return part.wrong();
}

// Packets of ranks that do not reach each other's memory at once, that are refused, and that come late; ranks that
// may read the memory of others, some of them or none.
transport::sim::Conditions conditions(base::Rng& rng) {
  constexpr unsigned kRefusals[] = {0, 0, 30};
  return {.capabilities = {.max_payload = 64, .eager_limit = 128},
          .packets_per_pair = static_cast<std::size_t>(1 + rng.below(8)),
          .refuse_percent = rng.pick(kRefusals),
          .system_copies = rng.percent(60),
          .mapped = rng.percent(50),
          .mapped_percent = 80};
}

// How what is long goes.
settings::Values giving(settings::BulkWay way) {
  settings::Values values = counting();
  values.bulk_way = way;
  return values;
}

using Looks = FiberParking::Looks;

// One node, or two with some ranks each.
transport::sim::Nodes random_nodes(base::Rng& rng, int ranks) {
  transport::sim::Nodes nodes{.of_rank = std::vector<int>(static_cast<std::size_t>(ranks)),
                              .between = {.peer_memory = false}};
  const int number = 1 + rng.below(2);
  for (int& node : nodes.of_rank) node = rng.below(number);
  return nodes;
}

// How crowded each node is, and what a process may set for itself, which it does or leaves to all.
std::function<RankOptions(int rank)> random_options(base::Rng& rng, const std::vector<int>& node_of) {
  using settings::BulkWay;
  constexpr BulkWay kWays[] = {BulkWay::automatic, BulkWay::streamed_pipes, BulkWay::direct};
  constexpr std::size_t kEagerLimits[] = {0, 1, 1000}, kPayloads[] = {0, 32, 60}, kPieces[] = {0, 20};
  const auto looks = [&] { return rng.percent(50) ? Looks::give_way : Looks::keep_the_core; };
  const Looks of_node[] = {looks(), looks()};
  const bool alike = rng.percent(50);
  settings::Values values = giving(rng.pick(kWays));
  std::vector<RankOptions> options;
  for (const int node : node_of) {
    if (!alike) {
      values.bulk_way = rng.pick(kWays);
      values.eager_limit = rng.pick(kEagerLimits);
      values.max_payload = rng.pick(kPayloads);
      values.pipe_piece = rng.pick(kPieces);
    }
    options.push_back({.settings = values, .looks = of_node[node]});
  }
  return [options = std::move(options)](int rank) { return options[static_cast<std::size_t>(rank)]; };
}

// The world, its even ranks, and its first half. Between collectives a rank gives way now and then, and a message
// goes round that was begun before.
void run_random_program(std::uint64_t seed) {
  base::Rng rng(seed);
  const int ranks = 1 + rng.below(9);
  struct Call {
    int comm;
    Act act;
    bool message;
  };
  std::vector<Call> program;
  const int kinds = rng.percent(50) ? kCollectives : 1 + rng.below(kCollectives);
  for (int calls = rng.below(120); calls > 0; --calls) {
    constexpr std::size_t kCounts[] = {0, 1, 2, 7, 14, 15, 100, 1100, 9000};
    program.push_back({rng.percent(60) ? 0 : rng.below(3),
                       {.what = static_cast<Collective>(rng.below(kinds)),
                        .elements = rng.percent(50) ? 0 : static_cast<std::size_t>(rng.below(kElements)),
                        .count = rng.pick(kCounts),
                        .root = rng.percent(60) ? 0 : rng.below(9),
                        .in_place = rng.percent(30),
                        .salt = rng.next()},
                       rng.percent(20)});
  }
  const transport::sim::Nodes nodes = random_nodes(rng, ranks);
  World world(ranks, conditions(rng), seed, random_options(rng, nodes.of_rank), nodes);
  const std::string report = world.run([&](Rank& rank) {
    const int me = rank.number();
    std::vector<std::vector<int>> members(3);
    for (int each = 0; each < ranks; ++each) {
      members[0].push_back(each);
      if (each % 2 == 0) members[1].push_back(each);
      if (each <= ranks / 2) members[2].push_back(each);
    }
    std::vector<Ref<Comm>> comms;
    for (std::uint32_t i = 0; i < 3; ++i)
      comms.push_back(std::ranges::count(members[i], me) != 0 ? comm_of(members[i], me, 8 * (i + 1)) : Ref<Comm>{});
    base::Rng own(seed + 1000 * static_cast<std::uint64_t>(me + 1));
    for (int round = 0; round < static_cast<int>(program.size()); ++round) {
      const Call& call = program[static_cast<std::size_t>(round)];
      std::array<int, 50> out{}, in{};
      out.fill(me * 1000 + round);
      Comm& all = *comms[0];
      Ref<objects::Request> receive, send;
      if (call.message) {
        receive = rank.pt2pt().start_receive(
            {in.data(), sizeof in, (me + ranks - 1) % ranks, round, all, all.user_space()});
        send = rank.pt2pt().start_send({out.data(), sizeof out, (me + 1) % ranks, round, all, all.user_space()});
      }
      if (own.percent(10)) {
        for (int times = own.below(50); times > 0; --times) rank.yield();
      }
      if (const Ref<Comm>& comm = comms[static_cast<std::size_t>(call.comm)]) {
        Act act = call.act;
        act.root %= comm->size();
        EXPECT_EQ(wrong_after(act, rank.engines().coll(), *comm), "")
            << "seed " << seed << " rank " << me << " call " << round << ": " << act.text();
      }
      if (!call.message) continue;
      if (send) rank.progress().wait(*send);
      rank.progress().wait(*receive);
      EXPECT_EQ(in[49], (me + ranks - 1) % ranks * 1000 + round);
    }
  });
  ASSERT_EQ(report, "") << "seed " << seed;
}

TEST(Boards, RandomCollectivesAmongMessagesGiveWhatTheyMust) {
  const Seeds wanted = seeds(400);
  for (std::uint64_t seed = wanted.first; seed <= wanted.last; ++seed) run_random_program(seed);
}

// Of one node ranks share cores, of the other each has its own: boards would be for other collectives there.
TEST(Boards, RanksOfNodesThatAreCrowdedDifferentlyGoTheSameWay) {
  constexpr std::size_t kCounts[] = {2, 100, 20'000};  // in lines, and on pages
  for (const int ranks : {2, 3, 5, 8, 16, 20})
    for (const bool first_is_crowded : {true, false})
      for (const std::size_t count : kCounts) {
        if (ranks > 5 && count > 100) continue;
        transport::sim::Nodes nodes{.of_rank = {}, .between = {.peer_memory = false}};
        for (int rank = 0; rank < ranks; ++rank) nodes.of_rank.push_back(2 * rank / ranks);
        const auto options = [&](int rank) {
          const bool is_first = nodes.of_rank[static_cast<std::size_t>(rank)] == 0;
          return RankOptions{.looks = is_first == first_is_crowded ? Looks::give_way : Looks::keep_the_core};
        };
        World world(ranks, {.capabilities = {.max_payload = 4096, .eager_limit = 4096}}, 8, options, nodes);
        const std::string report = world.run([&](Rank& rank) {
          const Ref<Comm> comm = everybody(ranks, rank.number());
          for (int kind = 0; kind < kCollectives; ++kind)
            for (int round = 0; round < 6; ++round)  // the last with a board, if there is one
              EXPECT_EQ(wrong_after({.what = static_cast<Collective>(kind),
                                     .count = count,
                                     .root = 1,
                                     .salt = static_cast<std::uint64_t>(round)},
                                    rank.engines().coll(), *comm),
                        "")
                  << "kind " << kind;
        });
        EXPECT_EQ(report, "") << ranks << " ranks, " << count << " numbers";
      }
}

// Those who only give, and those who only take, are as far ahead as lines allow.
TEST(Boards, ARankThatRunsAheadOverwritesNothingThatIsStillToBeRead) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    base::Rng rng(seed);
    const settings::Values settings =
        giving(rng.percent(50) ? settings::BulkWay::automatic : settings::BulkWay::streamed_pipes);
    World world(2 + rng.below(8), {}, seed, service::Contexts::kAsManyAsThereAre, settings);
    const int lazy = rng.below(world.size()), root = rng.below(world.size());
    const int kind = rng.below(kCollectives);
    constexpr std::size_t kCounts[] = {2, 10, 2000, 20'000};  // in entries, lines, on pages, and around their memory
    const std::size_t count = rng.pick(kCounts);
    const bool often_another = rng.percent(50);
    EXPECT_EQ(run_with_board(world,
                             [&](Rank& rank, Comm& comm) {
                               base::Rng own(seed);
                               for (int round = 0; round < 100; ++round) {
                                 const int pauses = own.below(30);
                                 for (int i = 0; i < pauses && rank.number() == lazy; ++i) rank.yield();
                                 const int now = round < 60 ? kind : own.below(kCollectives);
                                 const std::size_t some =
                                     often_another && own.percent(30) ? own.pick(kCounts) : count;
                                 EXPECT_EQ(wrong_after({.what = static_cast<Collective>(now),
                                                        .count = some,
                                                        .root = root,
                                                        .salt = static_cast<std::uint64_t>(round)},
                                                       rank.engines().coll(), comm),
                                           "")
                                     << "seed " << seed << " kind " << now << " round " << round;
                               }
                             }),
              "");
  }
}

TEST(Boards, NoPacketIsSentAndNobodyIsWokenInVain) {
  for (const int ranks : {2, 3, 8, 64})
    for (const Collective what : {Collective::barrier, Collective::allreduce}) {
      settings::Values values;
      values.board_ranks = 64;
      World world(ranks, {}, 7, service::Contexts::kAsManyAsThereAre, values);
      std::size_t begun = 0;
      constexpr int kRounds = 50;
      EXPECT_EQ(run_with_board(world,
                               [&](Rank& rank, Comm& comm) {
                                 rank.engines().coll().barrier(comm);
                                 if (begun == 0) begun = world.trace().size();
                                 for (int round = 0; round < kRounds; ++round)
                                   EXPECT_EQ(wrong_after({.what = what, .count = 2}, rank.engines().coll(), comm),
                                             "");
                               }),
                "");
      EXPECT_EQ(count_of(world.trace(), TraceEvent::What::packet, begun), 0);
      EXPECT_LE(count_of(world.trace(), TraceEvent::What::wake, begun), (kRounds + 1) * (ranks - 1));
      EXPECT_LE(count_of(world.trace(), TraceEvent::What::park, begun), (kRounds + 1) * (ranks - 1));
    }
}

// What 20 ranks add in one order, and in another, is not the same. The sums for all, and then those for rank 7 alone.
std::vector<float> sums_of(const settings::Values& settings, std::size_t count) {
  constexpr int kRoot = 7;
  const Reduction adding = Reduction::of(objects::Op::Kind::sum, objects::Element::float32, 4);
  World world(20, {}, 1, service::Contexts::kAsManyAsThereAre, settings);
  std::vector<float> sums;
  const std::string report = world.run([&](Rank& rank) {
    const Ref<Comm> comm = everybody(world.size(), rank.number());
    std::vector<float> mine(count), results(2 * count);
    for (std::size_t i = 0; i < count; ++i)
      mine[i] = 1.0F / static_cast<float>(rank.number() * 7 + static_cast<int>(i % 50) + 1);
    const Vector given(mine.data(), count, adding), both(results.data(), 2 * count, adding);
    for (int round = 0; round < 10; ++round) {
      rank.engines().coll().allreduce(given, both.part(0, count), *comm);
      rank.engines().coll().reduce(given, both.part(count, 2 * count), kRoot, *comm);
    }
    if (rank.number() == kRoot) sums = results;
  });
  EXPECT_EQ(report, "");
  return sums;
}

// Of so many ranks those have a board that share cores.
TEST(Boards, ResultsThatShallNotDependOnCoresAreTheSameWithABoardAndWithout) {
  settings::Values without;
  without.reproducible = settings::Reproducible::ranks;
  settings::Values with = without;
  with.board_ranks = 64;
  with.board_bytes = 100'000;
  for (const std::size_t count : {2U, 1000U, 15'000U})
    EXPECT_EQ(sums_of(without, count), sums_of(with, count)) << count;
}

TEST(Boards, WhatTheyDoIsCounted) {
  World world(3, {}, 1, service::Contexts::kAsManyAsThereAre, counting());
  EXPECT_EQ(run_with_board(world,
                           [&](Rank& rank, Comm& comm) {
                             for (int i = 0; i < 10; ++i) rank.engines().coll().barrier(comm);
                             EXPECT_EQ(rank.counters().board_collectives.value(), 11);
                           }),
            "");
}

TEST(Boards, TheirMemoryIsFreedWhenTheLastRankHasLeft) {
  World world(4, {}, 3);
  EXPECT_EQ(world.run([&](Rank& rank) {
    coll::Collectives& coll = rank.engines().coll();
    const Ref<Comm> all = everybody(4, rank.number());
    for (int time = 0; time < 20; ++time) {
      const Ref<Comm> comm = comm_of({0, 1, 2, 3}, rank.number(), 16);
      for (int round = 0; round < 6; ++round) {
        for (int i = 0; i < 40 && rank.number() == 3; ++i) rank.yield();
        EXPECT_EQ(wrong_after({.what = Collective::bcast, .count = 3}, coll, *comm),
                  "");  // the root is the first to leave
      }
    }
    coll.barrier(*all);
  }),
            "");
  EXPECT_GE(world.common().in_use(), 1u);  // nobody has looked since the last left
  EXPECT_LE(world.common().in_use(), 3u);
}

TEST(Boards, WithoutMemoryMessagesDo) {
  World world(5, {}, 3, service::Contexts::kAsManyAsThereAre, counting());
  world.common().refuse();
  EXPECT_EQ(world.run([&](Rank& rank) {
    const Ref<Comm> comm = everybody(5, rank.number());
    for (int round = 0; round < 20; ++round)
      EXPECT_EQ(wrong_after({.what = Collective::allreduce, .count = 3}, rank.engines().coll(), *comm), "");
    EXPECT_EQ(comm->board(), nullptr);
    EXPECT_EQ(rank.counters().board_collectives.value(), 0);
  }),
            "");
}

TEST(Boards, WhoWaitsForWhomIsTold) {
  World world(3, {}, 2);
  const std::string report = run_with_board(world, [&](Rank& rank, Comm& comm) {
    if (rank.number() != 1) rank.engines().coll().barrier(comm);
  });
  EXPECT_NE(report.find("rank 0 waits for rank 1"), std::string::npos) << report;
  EXPECT_NE(report.find("rank 2 waits for rank"), std::string::npos)
      << report;  // who had not come when it fell asleep
}

TEST(Boards, RanksInDifferentCollectivesAreToldWhoCallsWhat) {
  World world(2, {}, 6);
  std::array<std::string, 2> told;
  EXPECT_EQ(run_with_board(world,
                           [&](Rank& rank, Comm& comm) {
                             coll::Collectives& coll = rank.engines().coll();
                             try {
                               std::int64_t data = 0;
                               if (rank.number() == 0)
                                 coll.barrier(comm);
                               else
                                 coll.bcast(&data, sizeof data, 1, comm);
                             } catch (const base::Error& error) {
                               told[static_cast<std::size_t>(rank.number())] = error.message;
                             }
                           }),
            "");
  EXPECT_NE(told[0].find("rank 1 of some calls MPI_Bcast of 8 bytes with root 1, this rank MPI_Barrier"),
            std::string::npos)
      << told[0];
}

TEST(Boards, RanksThatCombineByDifferentOperationsAreToldWhoCallsWhat) {
  World world(2, {}, 6);
  std::array<std::string, 2> told;
  const auto by = [](objects::Op::Kind op) { return Reduction::of(op, objects::Element::int32, 4); };
  EXPECT_EQ(run_with_board(world,
                           [&](Rank& rank, Comm& comm) {
                             std::int32_t number = 1;
                             const Reduction mine =
                                 by(rank.number() == 0 ? objects::Op::Kind::sum : objects::Op::Kind::max);
                             try {
                               rank.engines().coll().allreduce({}, {&number, 1, mine}, comm);
                             } catch (const base::Error& error) {
                               told[static_cast<std::size_t>(rank.number())] = error.message;
                             }
                           }),
            "");
  constexpr const char* kAdds = "MPI_Allreduce of 4 bytes with root 0 and MPI_SUM";
  constexpr const char* kCompares = "MPI_Allreduce of 4 bytes with root 0 and MPI_MAX";
  EXPECT_NE(told[0].find(fmt::format("rank 1 of some calls {}, this rank {}", kCompares, kAdds)), std::string::npos)
      << told[0];
  EXPECT_NE(told[1].find(fmt::format("rank 0 of some calls {}, this rank {}", kAdds, kCompares)), std::string::npos)
      << told[1];
}

// In entries, in lines and on pages. Who waits for others is told, and nobody is kept.
TEST(Boards, RanksThatDisagreeHowLongSomethingIsAreToldSo) {
  constexpr std::size_t kBytes[] = {8, 16, 4000};
  const auto said = [](std::size_t bytes) { return bytes > Board::kMostBytes ? "many" : fmt::format("{}", bytes); };
  for (int seed = 1; seed <= 20; ++seed)
    for (const std::size_t most : kBytes)
      for (const std::size_t own : kBytes)
        for (const bool is_for_all : {true, false}) {
          if (own == most) continue;
          World world(3, {}, static_cast<std::uint64_t>(seed));
          std::array<std::string, 3> told;
          EXPECT_EQ(run_with_board(world,
                                   [&](Rank& rank, Comm& comm) {
                                     coll::Collectives& coll = rank.engines().coll();
                                     std::vector<char> data(4000), all(12'000);
                                     const auto call = [&](std::size_t bytes) {
                                       is_for_all ? coll.allgather(Region{data.data(), bytes},
                                                                   {all.data(), 3 * bytes}, comm, nullptr)
                                                  : coll.bcast(data.data(), bytes, 0, comm);
                                     };
                                     for (int i = 0; i < 5; ++i) call(4000);
                                     try {
                                       call(rank.number() == 1 ? own : most);
                                     } catch (const base::Error& error) {
                                       told[static_cast<std::size_t>(rank.number())] = error.message;
                                     }
                                   }),
                    "");
          const std::string what = is_for_all ? "MPI_Allgather" : "MPI_Bcast";
          const auto call = [&](int rank, std::size_t theirs, std::size_t ours) {
            return fmt::format("rank {} of some calls {} of {} bytes with root 0, this rank {} of {} bytes", rank,
                               what, said(theirs), what, said(ours));
          };
          EXPECT_NE(told[1].find(call(0, most, own)), std::string::npos) << told[1];
          for (const int rank : {0, 2})
            if (is_for_all)
              EXPECT_NE(told[static_cast<std::size_t>(rank)].find(call(1, own, most)), std::string::npos)
                  << told[static_cast<std::size_t>(rank)];
            else
              EXPECT_EQ(told[static_cast<std::size_t>(rank)], "");
        }
}

// One only waits for another, who waits for all.
TEST(Boards, WhoIsToldOfAMismatchTellsThoseWhoWaitForHim) {
  World world(3, {}, 6);
  std::array<std::string, 3> told;
  EXPECT_EQ(run_with_board(world,
                           [&](Rank& rank, Comm& comm) {
                             coll::Collectives& coll = rank.engines().coll();
                             try {
                               std::int64_t data = 0;
                               if (rank.number() == 1)
                                 coll.bcast(&data, sizeof data, 0, comm);
                               else
                                 coll.barrier(comm);
                             } catch (const base::Error& error) {
                               told[static_cast<std::size_t>(rank.number())] = error.message;
                             }
                           }),
            "");
  EXPECT_NE(told[0].find("rank 1 of some calls MPI_Bcast"), std::string::npos) << told[0];
  EXPECT_NE(told[1].find("rank 0 of some calls MPI_Barrier"), std::string::npos) << told[1];
  EXPECT_NE(told[2].find("rank 1 of some calls MPI_Bcast"), std::string::npos) << told[2];
}

}  // namespace
}  // namespace antiphon::sim
