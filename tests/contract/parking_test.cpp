// What a rank writes into its slot for mpiexec, and for the others of its node, to read.
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "process/doorbell_parking.hpp"

namespace antiphon::contract {
namespace {

class ASlot : public testing::Test {
 protected:
  // What mpiexec would read of a rank that waits for something there.
  std::string note_of(const std::string& communicator) {
    (void)parking_.announce({.communicator = communicator.c_str()});
    parking_.retract();
    return slots_[0].wait.communicator;
  }

  // As long as MPI_MAX_OBJECT_NAME allows, and another that differs in its last character.
  const std::string name_ = std::string(126, 'x') + "1", other_name_ = std::string(126, 'x') + "2";
  bootstrap::Header job_{};
  std::array<bootstrap::RankSlot, 1> slots_{};
  settings::Values settings_;
  counters::Counters counters_;
  progress::CallContext call_;
  progress::Lane lane_{false};
  process::DoorbellParking parking_{job_, slots_[0], call_, lane_, settings_, counters_, slots_};
};

TEST_F(ASlot, HasTheWholeNameOfWhatIsWaitedFor) {
  EXPECT_EQ(note_of(name_), name_);
  const std::string post = "post of rank 2147483647 in a window of local group of " + name_;
  EXPECT_EQ(note_of(post), post);
}

TEST_F(ASlot, MarksWhatHadToBeCut) {
  const std::string note = note_of(std::string(1000, 'x'));
  EXPECT_EQ(note, std::string(note.size() - 3, 'x') + "...");
}

TEST_F(ASlot, TellsOtherThreadsThatOneThatSleepsHasBeenRungFor) {
  for (int times = 0; times < 2; ++times) {
    (void)parking_.announce({});
    EXPECT_FALSE(parking_.is_waking());
    slots_[0].doorbell.ring(-1);
    EXPECT_TRUE(parking_.is_waking());
    parking_.retract();
  }
}

TEST_F(ASlot, SaysWhyACollectiveOfThatCommunicatorFailedAndOfNoOther) {
  parking_.tell_failure({name_, 7}, "a reason");
  EXPECT_EQ(parking_.failure_of(0, {name_, 7}), "a reason");
  EXPECT_EQ(parking_.failure_of(0, {name_, 8}), "");
  EXPECT_EQ(parking_.failure_of(0, {other_name_, 7}), "");
}

// How often it gives its core away in so many looks, where ranks have cores of their own.
std::uint64_t yields_of(int looks, progress::Parking::Others others) {
  progress::Lane lane(true);
  const bootstrap::Header job{};
  bootstrap::RankSlot slot{};
  const settings::Values settings;
  counters::Counters counters;
  process::DoorbellParking parking(job, slot, lane.call(), lane, settings, counters);
  for (int look = 0; look < looks; ++look) (void)parking.breathe(look, others);
  return counters.yields.value();
}

TEST(ACore, IsGivenAwayForOtherThreadsThatWaitOnly) {
  EXPECT_EQ(yields_of(1000, progress::Parking::Others::content), 0u);
  EXPECT_EQ(yields_of(1000, progress::Parking::Others::waiting), 1000u);
}

}  // namespace
}  // namespace antiphon::contract
