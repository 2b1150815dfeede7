#include "node/binding.hpp"

#include <gtest/gtest.h>

namespace antiphon::launch {
namespace {

// `sockets` of `cores` with `threads` each, numbered as the kernel does: first every core's first thread.
Topology machine(int sockets, int cores, int threads) {
  Topology topology;
  for (int core = 0; core < sockets * cores; ++core) {
    for (int thread = 0; thread < threads; ++thread) {
      const int socket = core / cores;
      topology.push_back({.os_index = thread * sockets * cores + core,
                          .core = core,
                          .l3cache = socket,
                          .numa = socket,
                          .socket = socket});
    }
  }
  return topology;
}

TEST(Binding, GivesEachRankACoreOfItsOwnWhenAllFit) {
  EXPECT_EQ(plan_binding(machine(1, 2, 1), {.ranks = 2, .usable_cpus = 2}), (Binding{{0}, {1}}));
  EXPECT_EQ(plan_binding(machine(1, 4, 2), {.ranks = 3, .usable_cpus = 8}), (Binding{{0, 4}, {1, 5}, {2, 6}}));
}

TEST(Binding, GivesHardwareThreadsWhenCoresDoNotSuffice) {
  EXPECT_EQ(plan_binding(machine(1, 2, 2), {.ranks = 3, .usable_cpus = 4}), (Binding{{0}, {2}, {1}}));
}

TEST(Binding, LeavesRanksAloneWhenTheyDoNotFit) {
  EXPECT_EQ(plan_binding(machine(1, 2, 1), {.ranks = 3, .usable_cpus = 2}), Binding(3));
  EXPECT_EQ(plan_binding(machine(1, 8, 1), {.ranks = 4, .usable_cpus = 2}), Binding(4)) << "a quota of two cpus";
  EXPECT_EQ(plan_binding(machine(1, 4, 1), {.ranks = 2, .usable_cpus = 4, .cpus_per_rank = 4}), Binding(2));
}

TEST(Binding, LeavesALonelyRankAlone) {
  EXPECT_EQ(plan_binding(machine(1, 4, 1), {.ranks = 1, .usable_cpus = 4}), Binding(1));
}

TEST(Binding, GivesACoreToEachThreadThatWasAskedFor) {
  EXPECT_EQ(plan_binding(machine(1, 4, 1), {.ranks = 2, .usable_cpus = 4, .cpus_per_rank = 2}),
            (Binding{{0, 1}, {2, 3}}));
}

TEST(Binding, DealsOverSocketsOnRequest) {
  EXPECT_EQ(plan_binding(machine(2, 2, 1), {.ranks = 3, .usable_cpus = 4, .map_by = MapBy::socket}),
            (Binding{{0}, {2}, {1}}));
}

TEST(Binding, ObeysAnExplicitWishEvenWhenRanksMustShare) {
  EXPECT_EQ(plan_binding(machine(1, 2, 1), {.ranks = 3, .usable_cpus = 2, .bind_to = BindTo::core}),
            (Binding{{0}, {1}, {0}}));
  EXPECT_EQ(plan_binding(machine(2, 2, 1),
                         {.ranks = 3, .usable_cpus = 4, .bind_to = BindTo::socket, .map_by = MapBy::socket}),
            (Binding{{0, 1}, {2, 3}, {0, 1}}));
  EXPECT_EQ(plan_binding(machine(1, 2, 2), {.ranks = 2, .usable_cpus = 4, .bind_to = BindTo::hwthread}),
            (Binding{{0}, {2}}));
  EXPECT_EQ(plan_binding(machine(1, 2, 1), {.ranks = 2, .usable_cpus = 2, .bind_to = BindTo::none}), Binding(2));
}

TEST(Binding, WithoutATopologyIsNone) {
  EXPECT_EQ(plan_binding({}, {.ranks = 2, .usable_cpus = 2, .bind_to = BindTo::core}), Binding(2));
}

TEST(Binding, IsDescribedInRanges) {
  EXPECT_EQ(describe_cpus({0, 1, 2, 5, 7, 8}), "0-2,5,7-8");
  EXPECT_EQ(describe_cpus({3}), "3");
}

}  // namespace
}  // namespace antiphon::launch
