// What is chosen, and whether what is predicted is what plans do: every algorithm is followed by a model of all
// processes among a few, and counted for one process at 131,072 ranks.
#include "engine/coll/candidates.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/coll/plans/any.hpp"
#include "loggp.hpp"
#include "settings/text.hpp"

namespace antiphon::coll {
namespace {

constexpr int kRanks = 131'072;
const Machine kMachine{settings::Values{}};

// The settings that ask for one algorithm of an operation.
settings::Values asking_for(Operation operation, int algorithm) {
  settings::Values values;
  const std::string setting = std::string(name_of(operation)) + "_algorithm";
  settings::named(setting, setting).set(values, algorithm);
  return values;
}

enum class On : std::uint8_t { one_node, several };

// All that are for one node, or those that are for several alone.
template <class F>
void for_each_algorithm(On on, F visit) {
  for (int operation = 0; operation < kOperations; ++operation)
    for (const Candidate& each : candidates(static_cast<Operation>(operation)))
      if ((each.needs & Candidate::several_nodes) == (on == On::one_node ? 0 : Candidate::several_nodes))
        visit(static_cast<Operation>(operation), each);
}

void expect_about(double predicted, double counted, const std::string& where) {
  EXPECT_GT(counted, 0) << where;
  EXPECT_GT(predicted, counted / 2) << where << ": " << predicted << " predicted, " << counted << " counted";
  EXPECT_LT(predicted, counted * 2) << where << ": " << predicted << " predicted, " << counted << " counted";
}

TEST(Choice, PredictsAboutWhatAModelOfAllProcessesGives) {
  for (const int ranks : {2, 3, 4, 7, 8, 16, 33, 64})
    for (const std::size_t bytes : {std::size_t{8}, std::size_t{512}, std::size_t{8192}, std::size_t{1} << 20})
      for_each_algorithm(On::one_node, [&](Operation operation, const Candidate& algorithm) {
        const bool cut = operation == Operation::reduce_scatter;
        const std::size_t all = cut ? bytes * static_cast<std::size_t>(ranks) : bytes;
        const Case what{operation, ranks, all, all / 8};
        if (!algorithm.can(what) || (operation == Operation::barrier && bytes != 8)) return;
        const settings::Values settings = asking_for(operation, algorithm.number);
        const double counted = LogGP(kMachine).time(ranks, [&](auto& sink) { plan_any(sink, what, settings); });
        const double predicted = algorithm.estimate(what, kMachine).nanoseconds(what, kMachine);
        expect_about(
            predicted, counted,
            fmt::format("{}, algorithm {}, {} ranks, {} bytes", name_of(operation), algorithm.number, ranks, bytes));
      });
}

TEST(Choice, PredictsHierarchiesAboutAsAModelOfAllProcesses) {
  Chooser chooser(kMachine);
  for (const int on_each : {2, 3, 8, 16})
    for (const int number : {2, 3, 8, 16})
      for (const std::size_t bytes : {std::size_t{8}, std::size_t{512}, std::size_t{8192}, std::size_t{1} << 20})
        for_each_algorithm(On::several, [&](Operation operation, const Candidate& algorithm) {
          if (operation == Operation::barrier && bytes != 8) return;
          const int ranks = on_each * number;
          const Nodes nodes(ranks, on_each);
          const Case what{operation, ranks, bytes, bytes / 8, true, number};
          const settings::Values settings = asking_for(operation, algorithm.number);
          const Choice choice(settings, chooser, &nodes);
          const double counted =
              LogGP(kMachine, &nodes).time(ranks, [&](auto& sink) { plan_any(sink, what, choice); });
          const double predicted = algorithm.estimate(what, kMachine).nanoseconds(what, kMachine);
          expect_about(predicted, counted,
                       fmt::format("{}, {} nodes of {} ranks, {} bytes", name_of(operation), number, on_each, bytes));
        });
}

// Between two groups, so that a rank that is wrong about the length lets nobody wait. 1 to 16 ranks, and each of
// them.
TEST(Choice, BetweenGroupsThereAreAsManyMessagesWhateverTheLength) {
  const auto messages = [](const View& view, Operation operation, std::size_t bytes, const Choice& choice) {
    Counter counter(view);
    plan_any(counter, {.operation = operation, .ranks = view.size, .bytes = bytes, .elements = bytes / 8}, choice);
    return std::pair(counter.cost().sends, counter.cost().receives);
  };
  Chooser chooser(kMachine);
  using enum Operation;
  for (const Operation operation : {bcast, reduce, allreduce, gather, scatter, allgather, allgatherv, reduce_scatter})
    for_each_algorithm(On::one_node, [&](Operation asked, const Candidate& algorithm) {
      const settings::Values settings = asking_for(asked, algorithm.number);
      for (const int ranks : {1, 2, 3, 5, 8, 16})
        for (int rank = 0; rank < ranks; ++rank)
          for (const std::size_t bytes : {std::size_t{800}, std::size_t{1} << 16, std::size_t{1} << 20})
            for (const settings::Values& values : {settings, settings::Values{}}) {
              const View view{{rank, ranks}, 1};
              const Choice choice(values, chooser, nullptr);
              EXPECT_EQ(messages(view, operation, bytes, choice), messages(view, operation, 8, choice))
                  << name_of(operation) << " of " << bytes << " bytes on rank " << rank << " of " << ranks;
            }
    });
}

// Nobody sends more than is predicted for the longest way, by much.
TEST(Choice, CountsEveryPlanAt131072Ranks) {
  for (const std::size_t bytes : {std::size_t{8}, std::size_t{64} << 10})
    for_each_algorithm(On::one_node, [&](Operation operation, const Candidate& algorithm) {
      const bool cut = operation == Operation::reduce_scatter || operation == Operation::allreduce ||
                       operation == Operation::reduce;
      const Case what{operation, kRanks, cut ? bytes * kRanks : bytes};
      if (!algorithm.can(what)) return;
      const settings::Values settings = asking_for(operation, algorithm.number);
      const Estimate predicted = algorithm.estimate(what, kMachine);
      for (const int rank : {0, 1, 77'777, kRanks - 1}) {
        Counter counter(View{{rank, kRanks}});
        plan_any(counter, what, settings);
        const std::string where = fmt::format("operation {}, algorithm {}, {} bytes, rank {}",
                                              static_cast<int>(operation), algorithm.number, bytes, rank);
        EXPECT_GT(counter.cost().sends + counter.cost().receives, 0u) << where;
        EXPECT_LE(counter.cost().rounds, predicted.steps + predicted.messages) << where;
        EXPECT_LE(static_cast<double>(counter.cost().bytes_received), 1.1 * predicted.bytes + 1) << where;
      }
    });
}

TEST(Choice, IsOfFewRoundsForLittleAndOfFewBytesForMuch) {
  const auto chosen = [&](Operation operation, std::size_t bytes, int ranks) {
    return cheapest({.operation = operation, .ranks = ranks, .bytes = bytes}, kMachine).number;
  };
  for (const int ranks : {4, 16, 64, kRanks}) {
    EXPECT_EQ(chosen(Operation::allreduce, 8, ranks), int(settings::AllreduceAlgorithm::recursive_doubling));
    EXPECT_NE(chosen(Operation::allreduce, 64 << 20, ranks), int(settings::AllreduceAlgorithm::recursive_doubling));
    EXPECT_NE(chosen(Operation::bcast, std::size_t{1} << 40, ranks), int(settings::BcastAlgorithm::binomial));
  }
  EXPECT_EQ(chosen(Operation::alltoall, 8, 4096), int(settings::AlltoallAlgorithm::bruck));
}

// Where ranks share cores each step costs a turn of all, and the work of all counts.
TEST(Choice, IsOfFewStepsAndLittleWorkWhereRanksShareCores) {
  const Machine crowded{settings::Values{}, 2};
  const auto chosen = [&](Operation operation, std::size_t bytes) {
    return cheapest({.operation = operation, .ranks = 16, .bytes = bytes}, crowded).number;
  };
  EXPECT_EQ(chosen(Operation::barrier, 0), int(settings::BarrierAlgorithm::dissemination));
  EXPECT_EQ(chosen(Operation::bcast, 8), int(settings::BcastAlgorithm::linear));
  EXPECT_EQ(chosen(Operation::allreduce, 8), int(settings::AllreduceAlgorithm::recursive_doubling));
  EXPECT_EQ(chosen(Operation::allreduce, 1 << 20), int(settings::AllreduceAlgorithm::reduce_bcast));
}

TEST(Choice, ThatIsAskedForIsTakenWhereItCanDoWhatIsToBeDone) {
  using settings::AllreduceAlgorithm;
  settings::Values settings;
  settings.allreduce_algorithm = AllreduceAlgorithm::ring;
  const Choice choice(settings);
  const auto taken = [&](const Case& what) { return choice.among(&settings::Values::allreduce_algorithm, what); };
  Case what{.operation = Operation::allreduce, .ranks = 4, .bytes = 32, .elements = 4};
  EXPECT_EQ(taken(what), AllreduceAlgorithm::ring);
  what.elements = 3;
  EXPECT_NE(taken(what), AllreduceAlgorithm::ring);
  what.elements = 4;
  what.commutes = false;
  EXPECT_NE(taken(what), AllreduceAlgorithm::ring);
}

// What a Chooser remembers is what a search finds, for powers of two.
TEST(Choice, IsRemembered) {
  const settings::Values settings;
  Chooser chooser{Machine(settings)};
  const Choice remembering(settings, chooser, nullptr);
  for (const int ranks : {1, 2, 7, 2, 64})
    for (std::size_t bytes = 1; bytes <= std::size_t{1} << 30; bytes *= 2) {
      const Case what{.operation = Operation::bcast, .ranks = ranks, .bytes = bytes};
      EXPECT_EQ(int(remembering.among(&settings::Values::bcast_algorithm, what)), cheapest(what, kMachine).number);
    }
}

TEST(Choice, OfHierarchiesIsForSeveralNodesWithSeveralRanks) {
  Case what{.operation = Operation::allreduce, .ranks = 512, .bytes = 8, .nodes = 16};
  EXPECT_EQ(cheapest(what, kMachine).number, int(settings::AllreduceAlgorithm::hierarchical));
  settings::Values next_door;
  next_door.cost_far_latency = next_door.cost_far_transfer_1m = std::chrono::nanoseconds{0};
  EXPECT_NE(cheapest(what, Machine(next_door)).number, int(settings::AllreduceAlgorithm::hierarchical));
  what.nodes = 512;
  EXPECT_NE(cheapest(what, kMachine).number, int(settings::AllreduceAlgorithm::hierarchical));
  what.nodes = 16;
  what.nodes_in_order = false;
  EXPECT_EQ(cheapest(what, kMachine).number, int(settings::AllreduceAlgorithm::hierarchical));
  what.commutes = false;
  EXPECT_NE(cheapest(what, kMachine).number, int(settings::AllreduceAlgorithm::hierarchical));
}

// Among many nodes few messages between them are worth that leaders copy.
TEST(Choice, OfHierarchiesIsForShortBlocksOfManyRanks) {
  const auto chosen = [&](Operation operation, std::size_t bytes) {
    return cheapest({.operation = operation, .ranks = 128, .bytes = bytes, .nodes = 16}, kMachine).number;
  };
  EXPECT_EQ(chosen(Operation::gather, 8), int(settings::GatherAlgorithm::hierarchical));
  EXPECT_EQ(chosen(Operation::scatter, 8), int(settings::ScatterAlgorithm::hierarchical));
  EXPECT_EQ(chosen(Operation::allgatherv, 8), int(settings::AllgathervAlgorithm::hierarchical));
  EXPECT_EQ(chosen(Operation::alltoall, 8), int(settings::AlltoallAlgorithm::hierarchical));
  EXPECT_EQ(chosen(Operation::gather, 64 << 10), int(settings::GatherAlgorithm::linear));
  EXPECT_EQ(chosen(Operation::scatter, 64 << 10), int(settings::ScatterAlgorithm::linear));
  EXPECT_EQ(chosen(Operation::allgatherv, 64 << 10), int(settings::AllgathervAlgorithm::bruck));
  EXPECT_EQ(chosen(Operation::alltoall, 1024), int(settings::AlltoallAlgorithm::spread));
}

TEST(Nodes, GiveEachRankAPlaceBesideItsNeighbours) {
  const objects::Nodes uneven({7, 7, 3, 7, 3});
  EXPECT_EQ(uneven.most(), 3);
  EXPECT_FALSE(uneven.is_grid());
  std::vector<int> places(5, -1);
  uneven.each_place([&](int rank, int place) { places[static_cast<std::size_t>(rank)] = place; });
  EXPECT_EQ(places, (std::vector{0, 1, 3, 2, 4}));
  EXPECT_FALSE(objects::Nodes({0, 0, 0, 1, 1}).is_grid());
  EXPECT_FALSE(objects::Nodes({0, 1, 0, 1}).is_grid());
  EXPECT_TRUE(objects::Nodes({5, 5, 2, 2}).is_grid());
}

}  // namespace
}  // namespace antiphon::coll
