// The figure of the standard for post and start (MPI 5.0, 12.5.2), over many schedules: rank 0 puts to 1 and 2, and
// rank 3 to 2, each with groups of its own. Starts, puts and completes may come before the posts.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <deque>

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

constexpr int kRanks = 4, kRounds = 5;
using Words = std::array<std::int64_t, kRanks>;  // one for each origin

struct Member {
  explicit Member(Rank& of) : rank(of), control(Control::bytes(kRanks) + Control::kAlignment) {}
  Rank& rank;
  Words words{};
  std::vector<std::byte> control;
  Ref<Window> window{};
};

void put(Member& member, int target, const std::int64_t& value, const objects::Datatype& type) {
  member.rank.engines().one_sided().begin(
      member.window->state(), rma::Transfer::Kind::put,
      {reinterpret_cast<std::byte*>(const_cast<std::int64_t*>(&value)), {}},
      {.target = target, .displacement = member.rank.number(), .count = 1, .type = type, .bytes = sizeof value},
      sizeof value);
}

Ref<Group> group_of(const std::vector<int>& ranks) { return Ref<Group>::adopt(new Group(ranks)); }

// What one rank does in a round; whom it is posted for, and whom it starts to.
void play(Member& member, base::Rng& rng, std::string* complaint) {
  const auto type = Ref<objects::Datatype>::adopt(
      new objects::Datatype(objects::Element::int64, objects::basics_of(objects::Element::int64, 8, 0), 8, "int64"));
  const std::vector<int> origins[kRanks] = {{}, {0}, {0, 3}, {}}, targets[kRanks] = {{1, 2}, {}, {}, {2}};
  rma::ActiveTarget& active = member.rank.engines().active_target();
  rma::WindowState& state = member.window->state();
  const auto me = static_cast<std::size_t>(member.rank.number());
  const auto loiter = [&] {
    for (int times = rng.below(4); times > 0; --times) member.rank.yield();
  };
  std::deque<std::int64_t> values;
  for (int round = 1; round <= kRounds; ++round) {
    loiter();
    if (!origins[me].empty()) active.post(state, *group_of(origins[me]), 0);
    loiter();
    if (!targets[me].empty()) {
      active.start(state, *group_of(targets[me]), 0);
      for (const int target : targets[me]) put(member, target, values.emplace_back(100 * round + target), *type);
      loiter();
      active.complete(state);
    }
    if (origins[me].empty()) continue;
    if (rng.percent(50))
      while (!active.test(state)) member.rank.yield();
    else
      active.wait(state);
    for (const int origin : origins[me]) {
      const std::int64_t found = member.words[static_cast<std::size_t>(origin)],
                         wanted = 100 * round + static_cast<int>(me);
      if (found != wanted)
        *complaint += fmt::format("rank {}: {} from rank {} instead of {}\n", me, found, origin, wanted);
    }
  }
  member.rank.engines().coll().barrier(member.window->comm());
}

std::string run(std::uint64_t seed) {
  base::Rng rng(seed);
  constexpr unsigned kMapped[] = {0, 50, 100};
  const transport::sim::Conditions conditions{.capabilities = {.max_payload = 32, .eager_limit = 40},
                                              .packets_per_pair = 1 + rng.below(std::size_t{4}),
                                              .refuse_percent = rng.percent(30) ? 30u : 0,
                                              .mapped = true,
                                              .mapped_percent = rng.pick(kMapped)};
  World world(kRanks, conditions, seed);
  std::deque<Member> members;
  std::vector<rma::Exposed> exposed;
  for (int rank = 0; rank < kRanks; ++rank) {
    Member& member = members.emplace_back(world.rank(rank));
    exposed.push_back({.address = reinterpret_cast<std::uintptr_t>(member.words.data()),
                       .bytes = sizeof(Words),
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
  std::string complaint;
  complaint +=
      world.run([&](Rank& rank) { play(members[static_cast<std::size_t>(rank.number())], rng, &complaint); });
  return complaint;
}

TEST(ActiveTarget, DoesWhatTheFigureOfTheStandardShows) {
  const auto [first, last] = seeds(1000);
  for (std::uint64_t seed = first; seed <= last; ++seed)
    ASSERT_EQ(run(seed), "") << "replay with: ANTIPHON_SIM_SEED=" << seed
                             << " bin/sim_test --gtest_filter=ActiveTarget.*";
}

}  // namespace
}  // namespace antiphon::sim
