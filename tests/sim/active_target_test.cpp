// The figure of the standard for post and start (MPI 5.0, 12.5.2), over many schedules: rank 0 puts to 1 and 2, and
// rank 3 to 2, each with groups of its own; and any other such figure. Starts, puts and completes may come before the
// posts.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <deque>
#include <string>
#include <vector>

#include "abi/constants.hpp"
#include "base/rng.hpp"
#include "seeds.hpp"
#include "world.hpp"

namespace antiphon::sim {
namespace {

using objects::Comm;
using objects::Group;
using objects::Ref;
using objects::Window;
using rma::Control;

constexpr int kRanks = 4, kRounds = 6;
using Ranks = std::vector<int>;

// To whom each rank starts.
using Targets = std::array<Ranks, kRanks>;
Ranks origins_of(const Targets& targets, int target) {
  Ranks origins;
  for (int rank = 0; rank < kRanks; ++rank)
    if (std::ranges::count(targets[static_cast<std::size_t>(rank)], target) != 0) origins.push_back(rank);
  return origins;
}

// What a rank exposes: a row for each origin.
constexpr int kRow = 8;
using Rows = std::array<std::array<std::int64_t, kRow>, kRanks>;

// What an origin puts to a target in a round: nothing; one word, or as many as a line carries; more; or two words one
// after the other.
enum class Act { nothing, word, words, row, two_words, kinds };
Act act(std::uint64_t seed, int round, int origin, int target) {
  base::Rng rng(seed * 1000 + static_cast<std::uint64_t>((round * kRanks + origin) * kRanks + target));
  return static_cast<Act>(rng.below(static_cast<int>(Act::kinds)));
}
std::int64_t value(int round, int target, int word) { return 100 * round + 10 * target + word; }
int words_of(Act act) {
  constexpr int kWords[] = {0, 1, 5, kRow, 2};
  return kWords[static_cast<int>(act)];
}
int words_at_once(Act act) { return act == Act::two_words ? 1 : words_of(act); }

struct Member {
  explicit Member(Rank& of) : rank(of), control(Control::bytes(kRanks) + Control::kAlignment) {}
  Rank& rank;
  Rows rows{};
  std::vector<std::byte> control;
  Ref<Window> window{};
};

// Four ranks with a window.
struct Party {
  Party(const transport::sim::Conditions& conditions, std::uint64_t seed) : world(kRanks, conditions, seed) {
    std::vector<rma::Exposed> exposed;
    for (int rank = 0; rank < kRanks; ++rank) {
      Member& member = members.emplace_back(world.rank(rank));
      exposed.push_back({.address = reinterpret_cast<std::uintptr_t>(member.rows.data()),
                         .bytes = sizeof(Rows),
                         .disp_unit = sizeof(std::int64_t),
                         .home = rank,
                         .control = reinterpret_cast<std::uintptr_t>(Control::aligned(member.control.data()))});
    }
    for (Member& member : members) {
      const auto everybody = Ref<Group>::adopt(new Group(kRanks));
      const auto comm =
          Ref<Comm>::adopt(new Comm(objects::kWorldContext, everybody, member.rank.number(), {}, "everybody"));
      member.window =
          Ref<Window>::adopt(new Window({.flavor = Window::Flavor::create, .comm = comm, .errhandler = {}}));
      member.rank.engines().one_sided().admit(member.window, exposed);
    }
  }

  World world;
  std::deque<Member> members;
};

Ref<Group> group_of(const Ranks& ranks) { return Ref<Group>::adopt(new Group(ranks)); }

const objects::Datatype& word_type() {
  static const auto type = Ref<objects::Datatype>::adopt(
      new objects::Datatype(objects::Element::int64, objects::basics_of(objects::Element::int64, 8, 0), 8, "int64"));
  return *type;
}

// Into this member's row at the target, from one of its words on.
void put(Member& member, int target, int word, int count, std::int64_t* words) {
  const std::size_t bytes = static_cast<std::size_t>(count) * sizeof *words;
  const rma::Wanted there{.target = target,
                          .displacement = member.rank.number() * kRow + word,
                          .count = count,
                          .type = word_type(),
                          .bytes = bytes};
  member.rank.engines().one_sided().begin(member.window->state(), rma::Transfer::Kind::put,
                                          {reinterpret_cast<std::byte*>(words), {}}, there, bytes);
}

class Player {
 public:
  Player(Member& member, const Targets& targets, std::uint64_t seed, base::Rng& rng, std::string* complaint)
      : member_(member), targets_(targets), seed_(seed), rng_(rng), complaint_(complaint) {}

  void play() {
    const Ranks origins = origins_of(targets_, me()), &targets = targets_[static_cast<std::size_t>(me())];
    // Programs pass the same groups again and again.
    const Ref<Group> posted = group_of(origins), started = group_of(targets);
    for (int round = 1; round <= kRounds; ++round) {
      loiter();
      if (!origins.empty()) post(*posted);
      loiter();
      if (!targets.empty()) access(round, *started);
      if (origins.empty()) continue;
      wait();
      for (const int origin : origins) look(round, origin);
    }
    member_.rank.engines().coll().barrier(member_.window->comm());
  }

 private:
  [[nodiscard]] int me() const { return member_.rank.number(); }
  [[nodiscard]] rma::ActiveTarget& active() { return member_.rank.engines().active_target(); }
  [[nodiscard]] rma::WindowState& state() { return member_.window->state(); }
  void loiter() {
    for (int times = rng_.below(4); times > 0; --times) member_.rank.yield();
  }

  // The short ways, where they are open, as well as the long ones.
  void post(Group& group) {
    if (rng_.percent(50) || !active().try_post(state(), group)) active().post(state(), group, 0);
  }
  void access(int round, Group& group) {
    if (rng_.percent(50) || !active().try_start(state(), group)) active().start(state(), group, 0);
    std::deque<std::vector<std::int64_t>> sent;  // as they have to stay until the epoch is over
    for (const int target : state().targets()) {
      const Act what = act(seed_, round, me(), target);
      std::vector<std::int64_t>& words = sent.emplace_back();
      for (int word = 0; word < words_of(what); ++word) words.push_back(value(round, target, word));
      for (int word = 0; word < words_of(what); word += words_at_once(what)) {
        put(member_, target, word, words_at_once(what), words.data() + word);
        loiter();
      }
    }
    loiter();
    if (rng_.percent(50) || !active().try_complete(state())) active().complete(state());
  }
  void wait() {
    if (rng_.percent(30))
      while (!active().test(state())) member_.rank.yield();
    else if (rng_.percent(50) || !active().try_wait(state()))
      active().wait(state());
  }
  // Words that nothing was put to keep what they have.
  void look(int round, int origin) {
    const auto row = static_cast<std::size_t>(origin);
    for (int word = 0; word < words_of(act(seed_, round, origin, me())); ++word)
      expected_[row][static_cast<std::size_t>(word)] = value(round, me(), word);
    if (member_.rows[row] != expected_[row])
      *complaint_ += fmt::format("rank {}, round {}: {} from rank {} instead of {}\n", me(), round, member_.rows[row],
                                 origin, expected_[row]);
  }

  Member& member_;
  const Targets& targets_;
  std::uint64_t seed_;
  base::Rng& rng_;
  std::string* complaint_;
  Rows expected_{};
};

std::string run(const Targets& targets, std::uint64_t seed) {
  base::Rng rng(seed);
  constexpr unsigned kMapped[] = {0, 50, 100};
  const transport::sim::Conditions conditions{.capabilities = {.max_payload = 32, .eager_limit = 40},
                                              .packets_per_pair = 1 + rng.below(std::size_t{4}),
                                              .refuse_percent = rng.percent(30) ? 30u : 0,
                                              .mapped = true,
                                              .mapped_percent = rng.pick(kMapped)};
  Party party(conditions, seed);
  std::string complaint;
  complaint += party.world.run([&](Rank& rank) {
    Player(party.members[static_cast<std::size_t>(rank.number())], targets, seed, rng, &complaint).play();
  });
  return complaint;
}

// An epoch whose put is carried is over at its origin before the target posts; the target has what was put when it
// has waited, and no sooner.
TEST(ActiveTarget, LetsAnOriginBeDoneBeforeThePost) {
  Party party({.capabilities = {.max_payload = 32, .eager_limit = 40}, .mapped = true, .mapped_percent = 100}, 1);
  bool done = false;
  const std::string complaint = party.world.run([&](Rank& rank) {
    Member& member = party.members[static_cast<std::size_t>(rank.number())];
    rma::ActiveTarget& active = rank.engines().active_target();
    rma::WindowState& state = member.window->state();
    if (rank.number() == 0) {
      active.start(state, *group_of({1}), 0);
      std::int64_t word = 7;
      put(member, 1, 0, 1, &word);
      word = 8;
      active.complete(state);
      done = true;
    } else if (rank.number() == 1) {
      while (!done) rank.yield();
      active.post(state, *group_of({0}), 0);
      EXPECT_EQ(member.rows[0][0], 0);
      active.wait(state);
      EXPECT_EQ(member.rows[0][0], 7);
    }
    rank.engines().coll().barrier(member.window->comm());
  });
  EXPECT_EQ(complaint, "");
}

TEST(ActiveTarget, DoesWhatTheFigureOfTheStandardShows) {
  const auto [first, last] = seeds(1000);
  for (std::uint64_t seed = first; seed <= last; ++seed)
    ASSERT_EQ(run({Ranks{1, 2}, {}, {}, {2}}, seed), "")
        << "replay with: ANTIPHON_SIM_SEED=" << seed << " bin/sim_test --gtest_filter=ActiveTarget.*";
}

// Some start to whom they post for, too, which tells them how many of their epochs are over; and to themselves.
TEST(ActiveTarget, LetsAnybodyStartToAnybody) {
  const auto [first, last] = seeds(1000);
  for (std::uint64_t seed = first; seed <= last; ++seed) {
    base::Rng rng(seed);
    Targets targets;
    for (Ranks& of : targets)
      for (int rank = 0; rank < kRanks; ++rank)
        if (rng.percent(50)) of.push_back(rank);
    ASSERT_EQ(run(targets, seed), "") << "replay with: ANTIPHON_SIM_SEED=" << seed
                                      << " bin/sim_test --gtest_filter=ActiveTarget.*";
  }
}

}  // namespace
}  // namespace antiphon::sim
