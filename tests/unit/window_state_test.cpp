// The state of a window by itself: the order of synchronizations, each wrong one named; and what a displacement at a
// target comes to.
#include "engine/rma/window_state.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "base/error.hpp"

namespace antiphon::rma {
namespace {

using objects::Comm;
using objects::Group;
using objects::Ref;
using objects::Window;
using Verdict = Resolved::Verdict;

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();

template <class Members>
Ref<Group> group_of(const Members& members) {
  return Ref<Group>::adopt(new Group(members));
}

Ref<Window> window_of(int size, Window::Flavor flavor) {
  const auto everybody = Ref<Group>::adopt(new Group(size));
  const auto comm = Ref<Comm>::adopt(new Comm(objects::kWorldContext, everybody, 0, {}, "everybody"));
  return Ref<Window>::adopt(new Window({.flavor = flavor, .comm = comm, .errhandler = {}}));
}

// Four members: the first exposes 100 bytes that are here, in units of 8; the second 100 that are not; the third
// nothing; the fourth as much as there can be.
class State : public testing::Test {
 protected:
  State() { state_.of(0).here = memory_; }

  Verdict verdict(int target, std::int64_t displacement, Extent touched) const {
    return state_.resolve(target, displacement, touched).verdict;
  }

  std::byte memory_[100];
  WindowState state_{window_of(4, Window::Flavor::create),
                     std::vector<Exposed>{{.address = 1000, .bytes = 100, .disp_unit = 8},
                                          {.address = 2000, .bytes = 100},
                                          {.address = 0, .bytes = 0},
                                          {.address = 0, .bytes = std::uint64_t{kMost}, .disp_unit = 2}}};
};

TEST(StateWithWordsOfItsOwn, KeepsElementsInBlocksOfTheLengthThatIsAskedFor) {
  const WindowState state(window_of(1, Window::Flavor::create), std::vector<Exposed>{{.bytes = 100}}, 64);
  EXPECT_TRUE(state.control().is_one_block(0, 63));
  EXPECT_FALSE(state.control().is_one_block(0, 64));
}

// ---- displacements

TEST_F(State, SaysWhereADisplacementLeads) {
  state_.fenced(true);
  const Resolved here = state_.resolve(0, 3, {0, 8});
  EXPECT_EQ(here.verdict, Verdict::may_go);
  EXPECT_EQ(here.here, memory_ + 24);
  EXPECT_EQ(here.address, 1024u);
  const Resolved there = state_.resolve(1, 3, {0, 8});
  EXPECT_EQ(there.verdict, Verdict::may_go);
  EXPECT_EQ(there.here, nullptr);
  EXPECT_EQ(there.address, 2003u);
}

TEST_F(State, LetsOperationsReachTheLastByteAndNoFurther) {
  state_.fenced(true);
  EXPECT_EQ(verdict(0, 12, {0, 4}), Verdict::may_go);
  EXPECT_EQ(verdict(0, 12, {0, 5}), Verdict::out_of_range);
  EXPECT_EQ(verdict(1, 0, {0, 100}), Verdict::may_go);
  EXPECT_EQ(verdict(1, 0, {0, 101}), Verdict::out_of_range);
  EXPECT_EQ(verdict(1, 1, {0, 100}), Verdict::out_of_range);
}

TEST_F(State, LetsNothingBeTouchedWhereNothingIsExposed) {
  state_.fenced(true);
  EXPECT_EQ(verdict(2, 0, {0, 0}), Verdict::may_go);
  EXPECT_EQ(verdict(2, 0, {0, 1}), Verdict::out_of_range);
  EXPECT_EQ(verdict(2, 1, {0, 0}), Verdict::out_of_range);
  EXPECT_EQ(verdict(1, 100, {0, 0}), Verdict::may_go);
}

TEST_F(State, RefusesNegativeDisplacements) {
  state_.fenced(true);
  for (const std::int64_t displacement : {std::int64_t{-1}, kLeast}) {
    EXPECT_EQ(verdict(0, displacement, {0, 1}), Verdict::negative);
    EXPECT_EQ(verdict(0, displacement, {8, 16}), Verdict::negative);  // though the data would be inside
    EXPECT_EQ(state_.resolve_negative(0, displacement, {8, 16}).verdict, Verdict::negative);
  }
}

TEST_F(State, LetsDataLieBeforeItsDisplacementWithinWhatIsExposed) {
  state_.fenced(true);
  EXPECT_EQ(verdict(1, 10, {-10, 1}), Verdict::may_go);
  EXPECT_EQ(verdict(1, 10, {-11, 1}), Verdict::out_of_range);
  EXPECT_EQ(verdict(1, 110, {-20, -10}), Verdict::may_go);
  EXPECT_EQ(verdict(1, 5, {-20, -10}), Verdict::out_of_range);
}

TEST_F(State, RefusesWhatNoNumberCanHold) {
  state_.fenced(true);
  EXPECT_EQ(verdict(0, kMost, {0, 1}), Verdict::out_of_range);
  EXPECT_EQ(verdict(0, kMost / 8 + 1, {0, 0}), Verdict::out_of_range);
  EXPECT_EQ(verdict(3, kMost / 2, {0, 1}), Verdict::may_go);
  EXPECT_EQ(verdict(3, kMost / 2, {0, 2}), Verdict::out_of_range);
  EXPECT_EQ(verdict(3, kMost / 2, {0, kMost}), Verdict::out_of_range);
  EXPECT_EQ(verdict(3, kMost / 2 + 1, {0, 0}), Verdict::out_of_range);
}

// With MPI_BOTTOM for a displacement, the type says where; with an address, it counts from there.
TEST(DynamicState, TakesDisplacementsForAddresses) {
  WindowState state(window_of(1, Window::Flavor::dynamic), std::vector<Exposed>{{.bytes = std::uint64_t{kMost}}});
  state.fenced(true);
  EXPECT_EQ(state.resolve(0, 0, {5000, 5008}).verdict, Verdict::may_go);
  EXPECT_EQ(state.resolve(0, 0, {5000, 5008}).address, 0u);
  EXPECT_EQ(state.resolve(0, 5000, {0, 8}).address, 5000u);
  EXPECT_EQ(state.resolve(0, 5000, {-8, 8}).verdict, Verdict::may_go);
  EXPECT_EQ(state.resolve(0, -10, {5000, 5008}).verdict, Verdict::negative);
  EXPECT_EQ(state.resolve_negative(0, -10, {5000, 5008}).verdict, Verdict::may_go);
  EXPECT_EQ(state.resolve_negative(0, -10, {5, 20}).verdict, Verdict::out_of_range);
  EXPECT_EQ(state.resolve_negative(0, kLeast, {0, 1}).verdict, Verdict::out_of_range);
}

// ---- epochs

TEST_F(State, OpensAllTargetsBetweenFences) {
  EXPECT_EQ(verdict(1, 0, {0, 1}), Verdict::no_epoch);
  state_.fenced(true);
  for (int target = 0; target < 4; ++target) EXPECT_EQ(verdict(target, 0, {0, 0}), Verdict::may_go);
  state_.fenced(false);
  for (int target = 0; target < 4; ++target) EXPECT_EQ(verdict(target, 0, {0, 0}), Verdict::no_epoch);
}

TEST_F(State, OpensTheGroupOfAStartFromItsPostsUntilItIsComplete) {
  for (int round = 0; round < 2; ++round) {
    state_.start(*group_of(std::vector<int>{3, 1}));
    for (int target = 0; target < 4; ++target) EXPECT_EQ(verdict(target, 0, {0, 0}), Verdict::no_epoch);
    for (const int target : state_.targets()) state_.open(target);
    for (int target = 0; target < 4; ++target)
      EXPECT_EQ(verdict(target, 0, {0, 0}), target % 2 == 1 ? Verdict::may_go : Verdict::no_epoch);
    EXPECT_EQ(state_.targets(), (std::vector<int>{3, 1}));
    state_.completed();
    EXPECT_EQ(verdict(1, 0, {0, 0}), Verdict::no_epoch);
  }
}

TEST_F(State, ClosesWhatAFenceOpenedWhenOthersArePostedForOrStarted) {
  state_.fenced(true);
  state_.post(*group_of(4));
  EXPECT_EQ(verdict(0, 0, {0, 0}), Verdict::no_epoch);
  state_.waited();
  state_.fenced(true);
  state_.start(*group_of(std::vector<int>{1}));
  state_.open(1);
  EXPECT_EQ(verdict(0, 0, {0, 0}), Verdict::no_epoch);
  EXPECT_EQ(verdict(1, 0, {0, 0}), Verdict::may_go);
}

// What has to come first is in the error.
template <class Call>
std::string complaint(Call&& call) {
  try {
    call();
  } catch (const base::Error& error) {
    EXPECT_EQ(error.error_class, abi::ERR_RMA_SYNC);
    return error.message;
  }
  return "";
}
template <class Call>
void expect_named(Call&& call, const std::string& what) {
  const std::string said = complaint(call);
  EXPECT_NE(said.find(what), std::string::npos) << "expected: " << what << ", said: " << said;
}
template <class Call>
void expect_allowed(Call&& call) {
  EXPECT_EQ(complaint(call), "");
}

TEST_F(State, NamesWhatHasToComeBeforeAnythingBegins) {
  expect_named([&] { state_.may_complete(); }, "MPI_Win_start begins");
  expect_named([&] { state_.may_wait(); }, "MPI_Win_post begins");
  expect_named([&] { state_.no_epoch(0); }, "there is no access epoch");
  expect_allowed([&] { state_.may_fence(); });
  expect_allowed([&] { state_.may_end(); });
}

TEST_F(State, NamesWhatHasToEndAStart) {
  state_.start(*group_of(std::vector<int>{1}));
  expect_named([&] { state_.start(*group_of(1)); }, "MPI_Win_start was called before");
  expect_named([&] { state_.may_fence(); }, "call MPI_Win_complete first");
  expect_named([&] { state_.may_end(); }, "call MPI_Win_complete first");
  expect_named([&] { state_.no_epoch(2); }, "target_rank=2 is not in the group");
  expect_allowed([&] { state_.may_complete(); });
  state_.completed();
  expect_allowed([&] { state_.may_end(); });
  expect_named([&] { state_.may_complete(); }, "MPI_Win_start begins");
}

TEST_F(State, NamesWhatHasToEndAPost) {
  state_.post(*group_of(4));
  expect_named([&] { state_.post(*group_of(1)); }, "MPI_Win_post was called before");
  expect_named([&] { state_.may_fence(); }, "MPI_Win_wait has to end");
  expect_named([&] { state_.may_end(); }, "MPI_Win_wait has to end");
  expect_allowed([&] { state_.start(*group_of(1)); });
  state_.completed();
  expect_allowed([&] { state_.may_wait(); });
  state_.waited();
  expect_named([&] { state_.may_wait(); }, "MPI_Win_post begins");
}

TEST_F(State, NamesTheFenceThatHasToFollowOneInUse) {
  state_.fenced(true);
  expect_allowed([&] { state_.may_end(); });
  state_.use();
  expect_named([&] { state_.start(*group_of(1)); }, "MPI_Win_fence has to end");
  expect_named([&] { state_.post(*group_of(1)); }, "MPI_Win_fence has to end");
  expect_named([&] { state_.may_end(); }, "MPI_Win_fence has to end");
  state_.fenced(false);
  expect_allowed([&] { state_.may_end(); });
}

TEST_F(State, KnowsWhoIsNotInTheWindow) {
  for (int way = 0; way < 2; ++way) {
    try {
      way == 0 ? state_.start(*group_of(5)) : state_.post(*group_of(5));
      FAIL();
    } catch (const base::Error& error) {
      EXPECT_EQ(error.error_class, abi::ERR_GROUP);
      EXPECT_NE(error.message.find("rank 4 of group"), std::string::npos);
    }
    expect_allowed([&] { state_.may_end(); });
  }
}

// ---- operations by packets

TEST_F(State, AsksEachTargetOnceToConfirm) {
  state_.needs_confirmation(2);
  state_.needs_confirmation(1);
  state_.needs_confirmation(2);
  EXPECT_TRUE(state_.all_confirmed());
  EXPECT_EQ(state_.ask_for_confirmations(), (std::vector<int>{2, 1}));
  EXPECT_FALSE(state_.all_confirmed());
  state_.confirmed(2);
  state_.refused();
  state_.confirmed(1);
  EXPECT_TRUE(state_.all_confirmed());
  EXPECT_TRUE(state_.take_refused());
  EXPECT_FALSE(state_.take_refused());
  state_.needs_confirmation(2);
  state_.forget_unconfirmed();
  EXPECT_TRUE(state_.ask_for_confirmations().empty());
}

}  // namespace
}  // namespace antiphon::rma
