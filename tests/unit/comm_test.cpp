// Communicators by themselves: names, groups, contexts.
#include "objects/comm.hpp"

#include <gtest/gtest.h>

namespace antiphon::objects {
namespace {

Ref<Group> ranks(std::vector<int> members) { return Ref<Group>::adopt(new Group(std::move(members))); }

TEST(CommName, TellsTheNearestAncestorWithAName) {
  const CommName world("MPI_COMM_WORLD");
  const CommName child = CommName::of_child("dup", world);
  CommName grandchild = CommName::of_child("split", child);
  EXPECT_EQ(child.given(), "");
  EXPECT_EQ(child.for_messages(), "dup of MPI_COMM_WORLD");
  EXPECT_EQ(grandchild.for_messages(), "split of MPI_COMM_WORLD");
  grandchild.set("mine");
  EXPECT_EQ(grandchild.given(), "mine");
  EXPECT_EQ(CommName::of_child("dup", grandchild).for_messages(), "dup of mine");
  grandchild.set("");
  EXPECT_EQ(grandchild.for_messages(), "split of MPI_COMM_WORLD");
}

TEST(CommName, StaysShortHoweverLongTheChain) {
  CommName name("first");
  for (int i = 0; i < 1000; ++i) name = CommName::of_child("dup", name);
  EXPECT_EQ(name.for_messages(), "dup of first");
}

TEST(Comm, OfTwoGroupsSendsToTheRemoteOne) {
  Comm inter({.context = ContextLease(16), .group = ranks({3, 5}), .rank = 1, .remote_group = ranks({2, 7, 8})});
  EXPECT_TRUE(inter.is_inter());
  EXPECT_EQ(inter.size(), 2);
  EXPECT_EQ(inter.peers(), 3);
  EXPECT_EQ(inter.world_rank(2), 8);
  EXPECT_EQ(inter.local().size(), 2);
  EXPECT_EQ(inter.local().world_rank(0), 3);
}

TEST(Comm, KeepsTheMessagesOfItsLocalGroupApart) {
  Comm inter({.context = ContextLease(16), .group = ranks({0}), .rank = 0, .remote_group = ranks({1})});
  const MessageSpace of_inter[] = {inter.user_space(), inter.collective_space(), inter.space(MessageKind::leader)};
  for (const MessageSpace space : of_inter) EXPECT_NE(inter.local().collective_space(), space);
  EXPECT_EQ(inter.local().collective_space().context(), 16u);
}

TEST(Comm, KeepsMessagesOfAllKindsApart) {
  Comm comm({.context = ContextLease(16), .group = ranks({0}), .rank = 0});
  for (std::uint32_t one = 0; one < 8; ++one) {
    const MessageSpace space = comm.space(static_cast<MessageKind>(one));
    EXPECT_EQ(space.context(), 16u);
    for (std::uint32_t other = 0; other < one; ++other) EXPECT_NE(space, comm.space(static_cast<MessageKind>(other)));
  }
}

TEST(Comm, LearnsItsContextLater) {
  ContextSet used;
  Comm inter(
      {.context = ContextLease(kUndecidedContext), .group = ranks({0}), .rank = 0, .remote_group = ranks({1})});
  inter.set_context(ContextLease(used, 40));
  EXPECT_EQ(inter.context(), 40u);
  EXPECT_EQ(inter.local().context(), 40u);
  EXPECT_TRUE(used.contains(40));
}

}  // namespace
}  // namespace antiphon::objects
