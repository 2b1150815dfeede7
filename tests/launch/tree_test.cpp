// The tree of daemons.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "hosts/tree.hpp"

namespace antiphon::launch {
namespace {

void check(const Tree& tree) {
  std::set<int> reached;
  std::vector<int> from{Tree::kFront};
  for (std::size_t i = 0; i < from.size(); ++i)
    for (const int child : tree.children(from[i])) {
      EXPECT_TRUE(reached.insert(child).second) << child << " is started twice";
      EXPECT_EQ(tree.parent(child), from[i]);
      EXPECT_GT(child, from[i]);
      from.push_back(child);
    }
  ASSERT_EQ(reached.size(), static_cast<std::size_t>(tree.nodes));
  ASSERT_EQ((std::pair{*reached.begin(), *reached.rbegin()}), (std::pair{0, tree.nodes - 1}));
  for (const int from_node : from) {
    const std::vector<int> children = tree.children(from_node);
    if (tree.fan_out > 0) {
      EXPECT_LE(children.size(), static_cast<std::size_t>(tree.fan_out));
    }
    for (const int child : children)
      for (const int to : tree.below(child)) {
        EXPECT_EQ(tree.next(from_node, to), child);
        EXPECT_TRUE(tree.is_within(to, child));
      }
  }
}

TEST(Tree, ReachesEveryNodeOnceAndKnowsTheWay) {
  for (const int fan_out : {0, 1, 2, 3, 32})
    for (int nodes = 1; nodes <= 300; nodes += nodes < 40 ? 1 : 13) {
      SCOPED_TRACE(testing::Message() << nodes << " nodes, fan-out " << fan_out);
      check({.nodes = nodes, .fan_out = fan_out});
    }
}

TEST(Tree, HasWithinANodeWhatIsReachedThroughItAndNothingElse) {
  for (const int fan_out : {0, 1, 2, 3}) {
    const Tree tree{.nodes = 20, .fan_out = fan_out};
    for (int top = 0; top < tree.nodes; ++top) {
      const std::vector<int> below = tree.below(top);
      for (int node = -3; node < tree.nodes + 3; ++node)
        EXPECT_EQ(tree.is_within(node, top), std::ranges::find(below, node) != below.end()) << node << " " << top;
    }
    for (int node = -3; node < tree.nodes + 3; ++node)
      EXPECT_EQ(tree.is_within(node, Tree::kFront), node >= 0 && node < tree.nodes) << node;
  }
}

TEST(Tree, IsFlatForUpTo32HostsUnlessTheUserWantsAnotherOrDescriptorsAreFew) {
  EXPECT_EQ(choose_fan_out(0, 1, 1024), 0);
  EXPECT_EQ(choose_fan_out(0, 32, 1024), 0);
  EXPECT_EQ(choose_fan_out(0, 33, 1024), 32);
  EXPECT_EQ(choose_fan_out(0, 33, ~std::uint64_t{0}), 32);
  EXPECT_EQ(choose_fan_out(7, 2, 1024), 7);
  EXPECT_EQ(choose_fan_out(0, 13, 64), 0);
  EXPECT_EQ(choose_fan_out(0, 14, 64), 13);
  EXPECT_EQ(choose_fan_out(0, 2, 3), 1);
}

}  // namespace
}  // namespace antiphon::launch
