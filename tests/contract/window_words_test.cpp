// The words of a window's members (engine/rma/control.hpp) among ranks that are threads: whoever has a lock or a
// section has alone what it guards, and what was put in an epoch is there when it is over, whoever is ahead.
#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "base/rng.hpp"
#include "engine/rma/carried_put.hpp"
#include "engine/rma/window_lock.hpp"
#include "rank_threads.hpp"
#include "watchdog.hpp"

namespace antiphon::contract {
namespace {

using objects::Ref;
using rma::CarriedPut;
using rma::Control;
using rma::WindowLock;
using rma::WindowState;

constexpr int kRanks = 4;

class Words {
 public:
  [[nodiscard]] Control of() const { return {memory_.start(), kRanks}; }
  [[nodiscard]] std::uint64_t address() const { return reinterpret_cast<std::uintptr_t>(memory_.start()); }

 private:
  SharedMemory memory_{Control::bytes(kRanks)};
};

TEST(WordsOfWindows, LockWhatOneHasAloneOrSeveralShare) {
  constexpr int kRounds = 100'000;
  const Words words;
  std::uint64_t guarded = 0;
  std::atomic<std::uint64_t> changes = 0;
  const Watchdog watchdog("ranks that lock a window", changes);
  as_ranks(kRanks, [&](int rank) {
    base::Rng rng(static_cast<std::uint64_t>(rank) + 1);
    const Control control = words.of();
    const WindowLock lock(control);
    for (int round = 0; round < kRounds; ++round) {
      const bool alone = rng.below(3) == 0;
      WindowLock::Claim claim{.mode = alone ? WindowLock::Mode::exclusive : WindowLock::Mode::shared};
      for (int looks = 0; !lock.try_enter(claim, rank); sched_yield())
        if (++looks == 3) lock.get_in_line(&claim);
      if (alone)
        changes = ++guarded;
      else
        EXPECT_LE(guarded, std::uint64_t{kRanks} * kRounds);
      lock.leave(claim.mode);
    }
  });
  EXPECT_EQ(changes, guarded);
}

TEST(WordsOfWindows, LetOneRankAtATimeAccumulateInABlock) {
  constexpr int kRounds = 500'000, kBlocks = 16, kBlock = 16384;
  const Words words;
  std::array<std::uint64_t, kBlocks> sums{};
  as_ranks(kRanks, [&](int rank) {
    base::Rng rng(static_cast<std::uint64_t>(rank) + 1);
    for (int round = 0; round < kRounds; ++round) {
      const auto block = rng.below(std::size_t{kBlocks});
      Control::Section& section = words.of().section(block * kBlock);
      wait_until([&] { return section.try_take(); });
      ++sums[block];
      section.let_go();
    }
  });
  std::uint64_t sum = 0;
  for (const std::uint64_t each : sums) sum += each;
  EXPECT_EQ(sum, std::uint64_t{kRanks} * kRounds);
}

// ---- epochs

// In an epoch of one rank at another; drawn by all ranks alike.
struct Drawn {
  bool is_open, first, second;
};
using Epochs = std::array<std::array<Drawn, kRanks>, kRanks>;  // by origin and target
Epochs draw(base::Rng& rng) {
  Epochs epochs{};
  for (int origin = 0; origin < kRanks; ++origin)
    for (int target = 0; target < kRanks; ++target) {
      const auto drawn = rng.below(8);
      epochs[static_cast<std::size_t>(origin)][static_cast<std::size_t>(target)] = {
          origin != target && rng.below(3) != 0, drawn % 2 == 0, drawn / 2 == 0};
    }
  return epochs;
}

// Of each rank's memory: what each origin puts first, which may be carried, and second, which is not.
struct Memory {
  std::array<std::uint64_t, kRanks> first{}, second{};
};

// One rank's window over the memory of all, as ActiveTarget uses it where all have each other's words.
class Member {
 public:
  Member(int rank, const std::array<Words, kRanks>& words, std::array<Memory, kRanks>& memory)
      : rank_(rank), index_(static_cast<std::size_t>(rank)), memory_(memory), state_(window(rank), exposed(words)) {
    for (int other = 0; other < kRanks; ++other) {
      WindowState::Target& target = state_.of(other);
      target.looked_for = true;
      target.here = reinterpret_cast<std::byte*>(&at(other));
      if (other == rank) continue;
      target.control = words[static_cast<std::size_t>(other)].of();
      target.memory = &near_;
    }
  }

  void round(const Epochs& epochs, std::uint64_t number, bool posts_first) {
    const auto drawn = [&](int origin, int target) -> const Drawn& {
      return epochs[static_cast<std::size_t>(origin)][static_cast<std::size_t>(target)];
    };
    const Ref<objects::Group> targets = group([&](int other) { return drawn(rank_, other).is_open; });
    const Ref<objects::Group> origins = group([&](int other) { return drawn(other, rank_).is_open; });
    if (posts_first) post(*origins);
    state_.start(*targets);
    std::vector<int> left;  // nobody carries what is put there
    for (const int target : state_.targets())
      if (drawn(rank_, target).first && !try_carry(target, number)) left.push_back(target);
    if (!posts_first) post(*origins);
    for (const int target : left) opened(target).first[index_] = number;
    for (const int target : state_.targets())
      if (drawn(rank_, target).second) opened(target).second[index_] = number;
    complete();
    wait();
    for (const int origin : state_.origins()) {
      const auto index = static_cast<std::size_t>(origin);
      if (drawn(origin, rank_).first) expected_.first[index] = number;
      if (drawn(origin, rank_).second) expected_.second[index] = number;
      EXPECT_EQ(at(rank_).first[index], expected_.first[index]);
      EXPECT_EQ(at(rank_).second[index], expected_.second[index]);
    }
  }

 private:
  static Ref<objects::Window> window(int rank) {
    return Ref<objects::Window>::adopt(new objects::Window(
        {.flavor = objects::Window::Flavor::create, .comm = everybody(kRanks, rank), .errhandler = {}}));
  }
  static std::vector<rma::Exposed> exposed(const std::array<Words, kRanks>& words) {
    std::vector<rma::Exposed> exposed;
    for (const Words& each : words) exposed.push_back({.bytes = sizeof(Memory), .control = each.address()});
    return exposed;
  }
  template <class Has>
  static Ref<objects::Group> group(Has&& has) {
    std::vector<int> members;
    for (int rank = 0; rank < kRanks; ++rank)
      if (has(rank)) members.push_back(rank);
    return Ref<objects::Group>::adopt(new objects::Group(members));
  }
  [[nodiscard]] Memory& at(int rank) const { return memory_[static_cast<std::size_t>(rank)]; }

  void post(objects::Group& origins) {
    state_.post(origins);
    for (const int origin : state_.origins()) {
      const WindowState::Target& near = state_.of(origin);
      near.control.posted(rank_).store(near.exposures, std::memory_order_release);
    }
  }
  bool try_carry(int target, std::uint64_t number) {
    return CarriedPut(state_, target)
        .try_take(reinterpret_cast<const std::byte*>(&number), sizeof number,
                  static_cast<std::int64_t>(index_ * sizeof number));
  }
  // The memory of one that has posted.
  Memory& opened(int target) {
    if (state_.of(target).started) {
      wait_until([&] { return state_.has_posted(target, state_.of(target).accesses); });
      CarriedPut(state_, target).do_now();
    }
    return at(target);
  }
  void complete() {
    for (const int target : state_.targets()) wait_until([&] { return CarriedPut(state_, target).may_be_said(); });
    for (const int target : state_.targets()) CarriedPut(state_, target).say();
    state_.completed();
  }
  void wait() {
    for (const int origin : state_.origins()) wait_until([&] { return state_.has_completed(origin); });
    for (const int origin : state_.origins()) take_in(state_, origin);
    state_.waited();
  }

  int rank_;
  std::size_t index_;
  std::array<Memory, kRanks>& memory_;
  WindowState state_;
  OneMemory near_;
  Memory expected_;
};

TEST(WordsOfWindows, SayWhatIsThereWhenAnEpochIsOver) {
  constexpr std::uint64_t kRounds = 1'000;
  const std::array<Words, kRanks> words;
  std::array<Memory, kRanks> memory{};
  std::atomic<std::uint64_t> rounds = 0;
  const Watchdog watchdog("ranks that post and complete", rounds);
  as_ranks(kRanks, [&](int rank) {
    base::Rng same(1), own(static_cast<std::uint64_t>(rank));
    Member member(rank, words, memory);
    for (std::uint64_t number = 1; number <= kRounds; ++number) {
      member.round(draw(same), number, own.below(2) == 0);
      if (rank == 0) rounds = number;
    }
  });
}

}  // namespace
}  // namespace antiphon::contract
