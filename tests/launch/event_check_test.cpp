// A daemon speaks for the ranks of its node, and for no others.
#include <gtest/gtest.h>

#include "hosts/event_check.hpp"
#include "wire/archive.hpp"

namespace antiphon::launch {
namespace {

// Ranks 0 and 2 run on node 0, rank 1 on node 1; two streams.
EventCheck check() {
  JobDescription job;
  job.places = {{0, 0}, {1, 0}, {0, 1}};
  job.node_names = {"a", "b"};
  job.streams = {{}, {}};
  return EventCheck(job);
}

RankView view_of(int rank) {
  RankView view;
  view.rank = rank;
  return view;
}

bool is_good(int node, const NodeEvent& event) {
  try {
    check().check(node, event);
    return true;
  } catch (const Malformed&) {
    return false;
  }
}

TEST(EventCheck, KnowsTheNodes) {
  EXPECT_TRUE(check().has_node(0));
  EXPECT_TRUE(check().has_node(1));
  EXPECT_EQ(check().name(1), "b");
  for (const int node : {-1, 2, 1 << 30}) EXPECT_FALSE(check().has_node(node)) << node;
}

TEST(EventCheck, LetsEventsAboutRanksOfTheNodePass) {
  EXPECT_TRUE(is_good(0, Prepared{.binding = {{}, {1}}, .broker = {}}));
  EXPECT_TRUE(is_good(0, Started{{1, 2}}));
  EXPECT_TRUE(is_good(0, Failed{.exit_status = 1, .message = ""}));
  EXPECT_TRUE(is_good(0, Printed{.rank = 2, .stream = 1, .bytes = ""}));
  EXPECT_TRUE(is_good(1, StreamEnded{.rank = 1, .stream = 0}));
  EXPECT_TRUE(is_good(1, Aborted{.rank = 1, .code = 0, .text = ""}));
  EXPECT_TRUE(is_good(1, Aborted{.rank = -1, .code = 0, .text = ""}));
  EXPECT_TRUE(
      is_good(0, Ended{.ranks = {{.rank = 0, .pid = 1, .wait_status = 0}, {.rank = 2, .pid = 2, .wait_status = 0}},
                       .kills = {}}));
  EXPECT_TRUE(is_good(0, Seen{.number = 1, .some_run = true, .ranks = {}}));
  EXPECT_TRUE(is_good(0, Seen{.number = 1, .some_run = false, .ranks = {view_of(0), view_of(2)}}));
  EXPECT_TRUE(is_good(0, InputTaken{5}));
  EXPECT_TRUE(is_good(0, Note{""}));
  EXPECT_TRUE(is_good(0, Finished{}));
  EXPECT_TRUE(is_good(0, Finished{{RankCounters{}, RankCounters{}}}));
  EXPECT_TRUE(is_good(0, Lost{""}));
}

TEST(EventCheck, RefusesEventsAboutRanksOfOtherNodes) {
  for (const int rank : {-1, 1, 3, 1 << 30}) {  // of node 1, or of none
    EXPECT_FALSE(is_good(0, Printed{.rank = rank, .stream = 0, .bytes = ""})) << rank;
    EXPECT_FALSE(is_good(0, StreamEnded{.rank = rank, .stream = 0})) << rank;
    EXPECT_FALSE(is_good(
        0, Ended{.ranks = {{.rank = 0, .pid = 1, .wait_status = 0}, {.rank = rank, .pid = 2, .wait_status = 0}},
                 .kills = {}}))
        << rank;
    EXPECT_FALSE(is_good(0, Seen{.number = 1, .some_run = false, .ranks = {view_of(rank)}})) << rank;
    if (rank != -1) {
      EXPECT_FALSE(is_good(0, Aborted{.rank = rank, .code = 0, .text = ""})) << rank;
    }
  }
}

TEST(EventCheck, RefusesListsThatAreNotAsLongAsTheNodeHasRanks) {
  for (const std::size_t count : {0U, 1U, 3U}) {
    EXPECT_FALSE(is_good(0, Prepared{.binding = std::vector<std::vector<int>>(count), .broker = {}})) << count;
    EXPECT_FALSE(is_good(0, Started{std::vector<pid_t>(count)})) << count;
    if (count != 0) {
      EXPECT_FALSE(is_good(0, Finished{std::vector<RankCounters>(count)})) << count;
    }
  }
  EXPECT_FALSE(is_good(0, Ended{}));
  EXPECT_FALSE(is_good(0, Seen{.number = 1, .some_run = false, .ranks = {view_of(0), view_of(2), view_of(0)}}));
}

TEST(EventCheck, RefusesARankThatEndsTwiceAtOnce) {
  const EndedRank rank{.rank = 0, .pid = 1, .wait_status = 0};
  EXPECT_FALSE(is_good(0, Ended{.ranks = {rank, rank}, .kills = {}}));
}

TEST(EventCheck, RefusesStreamsThatTheJobDoesNotHave) {
  for (const std::uint32_t stream : {2U, ~0U}) {
    EXPECT_FALSE(is_good(0, Printed{.rank = 0, .stream = stream, .bytes = ""}));
    EXPECT_FALSE(is_good(0, StreamEnded{.rank = 0, .stream = stream}));
  }
}

}  // namespace
}  // namespace antiphon::launch
