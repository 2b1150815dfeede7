// Random locks and operations on a few cells of each rank, seed after seed: from any rank, on one node or several,
// where what a rank finds of another's memory and of its words is drawn for each pair. Each operation that fetches is
// one step from what it found to what it left; if all are done one at a time, and those of one origin in order, the
// steps of a cell are a path from its first value to its last. What is guarded by exclusive locks is read and written
// in parts, and nobody may find the parts at odds. Now and then a rank only computes, and its progress thread serves
// the others.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <deque>
#include <map>
#include <tuple>

#include "abi/constants.hpp"
#include "base/error.hpp"
#include "base/rng.hpp"
#include "seeds.hpp"
#include "world.hpp"

namespace antiphon::sim {
namespace {

using objects::Comm;
using objects::Datatype;
using objects::Element;
using objects::Group;
using objects::Ref;
using objects::Window;
using rma::Combining;
using rma::Control;
using rma::Shape;
using Mode = rma::WindowLock::Mode;
using Check = rma::PassiveTarget::Check;

// Of each rank: cells on which steps are made, integers and then reals; two that are always alike, under exclusive
// locks; and one to which everybody adds, without looking.
constexpr std::size_t kIntegers = 2, kReals = 2, kStepped = kIntegers + kReals;
constexpr std::size_t kLike = kStepped, kAlike = kLike + 1, kSum = kAlike + 1, kCells = kSum + 1;
using Cells = std::array<std::int64_t, kCells>;

bool is_real(std::size_t cell) { return cell >= kIntegers && cell < kStepped; }
std::int64_t bits_of(double value) { return std::bit_cast<std::int64_t>(value); }
double real_of(std::int64_t bits) { return std::bit_cast<double>(bits); }

struct Step {
  enum class What : std::uint8_t { sum, replace, compare, look };
  What what;
  int target;
  std::size_t cell;
  std::int64_t value = 0;
  std::int64_t compared = 0;
  std::int64_t found = 0;

  [[nodiscard]] std::int64_t left() const {
    switch (what) {
      case What::sum:
        return is_real(cell) ? bits_of(real_of(found) + real_of(value)) : found + value;
      case What::replace:
        return value;
      case What::compare:
        return found == compared ? value : found;
      case What::look:
        break;
    }
    return found;
  }
};

Ref<Datatype> type_of(Element kind, const char* name) {
  return Ref<Datatype>::adopt(new Datatype(kind, objects::basics_of(kind, 8, 0), 8, name));
}

// What ranks share in the test, though not in the world that it tests.
struct Shared {
  explicit Shared(int ranks) : cells(static_cast<std::size_t>(ranks)), controls(static_cast<std::size_t>(ranks)) {
    for (std::vector<std::byte>& control : controls) control.resize(Control::bytes(ranks) + Control::kAlignment);
  }
  [[nodiscard]] std::vector<rma::Exposed> exposed() {
    std::vector<rma::Exposed> made;
    for (std::size_t rank = 0; rank < cells.size(); ++rank)
      made.push_back({.address = reinterpret_cast<std::uintptr_t>(cells[rank].data()),
                      .bytes = sizeof(Cells),
                      .disp_unit = sizeof(std::int64_t),
                      .home = static_cast<std::int32_t>(rank),
                      .control = reinterpret_cast<std::uintptr_t>(Control::aligned(controls[rank].data()))});
    return made;
  }

  std::deque<Cells> cells;
  std::deque<std::vector<std::byte>> controls;
};

class Actor {
 public:
  Actor(Rank& rank, Shared& shared, std::uint64_t seed)
      : rank_(rank), ranks_(static_cast<int>(shared.cells.size())), rng_(seed) {
    const auto everybody = Ref<Group>::adopt(new Group(ranks_));
    const auto comm = Ref<Comm>::adopt(new Comm(objects::kWorldContext, everybody, rank.number(), {}, "everybody"));
    window_ = Ref<Window>::adopt(new Window({.flavor = Window::Flavor::create, .comm = comm, .errhandler = {}}));
    rank.engines().one_sided().admit(window_, shared.exposed());
  }

  void play() {
    for (int epochs = 1 + rng_.below(6); epochs > 0; --epochs) {
      loiter();
      const Check check = Check::yes;
      if (rng_.percent(30)) {
        passive().lock_all(state(), check);
        for (int steps = rng_.below(8); steps > 0; --steps) step(rng_.below(ranks_));
        if (rng_.percent(50)) look_at_likes(rng_.below(ranks_));
        passive().unlock_all(state());
      } else {
        const int target = rng_.below(ranks_);
        const Mode mode = rng_.percent(50) ? Mode::exclusive : Mode::shared;
        passive().lock(state(), target, mode, check);
        for (int steps = rng_.below(6); steps > 0; --steps) step(target);
        if (rng_.percent(70)) {
          const std::int64_t alike = look_at_likes(target);
          if (mode == Mode::exclusive) raise_likes(target, alike);
        }
        passive().unlock(state(), target);
      }
    }
    if (state().under_way() != 0) complain("work is left at the end");
  }
  void end() { rank_.engines().coll().barrier(window_->comm()); }

  [[nodiscard]] rma::WindowState& state() const { return window_->state(); }
  [[nodiscard]] const std::deque<Step>& steps() const { return steps_; }
  [[nodiscard]] const std::map<int, std::int64_t>& added() const { return added_; }
  [[nodiscard]] const std::string& complaint() const { return complaint_; }

 private:
  [[nodiscard]] rma::PassiveTarget& passive() const { return rank_.engines().passive_target(); }
  [[nodiscard]] const Datatype& type(std::size_t cell) const { return is_real(cell) ? *real_ : *integer_; }
  [[nodiscard]] rma::Wanted at(int target, std::size_t cell) const {
    return {.target = target,
            .displacement = static_cast<std::int64_t>(cell),
            .count = 1,
            .type = type(cell),
            .bytes = sizeof(std::int64_t)};
  }

  // Values that come once.
  std::int64_t value(std::size_t cell) {
    const auto drawn = static_cast<std::int64_t>(rng_.next() >> 20);
    return is_real(cell) ? bits_of(static_cast<double>(drawn)) : drawn;
  }

  void step(int target) {
    if (rng_.percent(20)) return add(target);
    using What = Step::What;
    const std::size_t cell = rng_.below(kStepped);
    constexpr What kAll[] = {What::sum, What::sum, What::replace, What::look, What::compare};
    What what = rng_.pick(kAll);
    if (what == What::compare && is_real(cell)) what = What::sum;
    Step& made = steps_.emplace_back(Step{.what = what, .target = target, .cell = cell, .value = value(cell)});
    auto* const found = reinterpret_cast<std::byte*>(&made.found);
    auto* const operand = reinterpret_cast<std::byte*>(&made.value);
    rma::Accumulates& accumulates = rank_.engines().accumulates();
    if (what == What::compare) {
      made.compared = seen_[{target, cell}];
      const auto* const compared = reinterpret_cast<const std::byte*>(&made.compared);
      accumulates.compare_and_swap(state(), Shape::of(type(cell)), operand, compared, found, at(target, cell));
    } else {
      const auto op = what == What::sum       ? Combining::Op::sum
                      : what == What::replace ? Combining::Op::replace
                                              : Combining::Op::no_op;
      Ref<rma::OperationRequest> request;
      accumulates.begin(state(), Combining(op, Shape::of(type(cell))), {operand, {}}, {found, {}}, at(target, cell),
                        sizeof(std::int64_t), rng_.percent(50) ? &request : nullptr);
      if (request && rng_.percent(50)) rank_.progress().wait(*request);
    }
    if (rng_.percent(30)) {
      passive().flush(state(), target);
      seen_[{target, cell}] = made.left();
    }
    loiter();
  }

  void add(int target) {
    const std::int64_t& more = operands_.emplace_back(value(kSum));
    added_[target] += more;
    auto* const operand = reinterpret_cast<std::byte*>(const_cast<std::int64_t*>(&more));
    rank_.engines().accumulates().begin(state(), Combining(Combining::Op::sum, Shape::of(*integer_)), {operand, {}},
                                        {}, at(target, kSum), sizeof(std::int64_t));
  }

  std::int64_t look_at_likes(int target) {
    std::int64_t like = -1, alike = -2;
    const auto get = [&](std::size_t cell, std::int64_t* to) {
      rank_.engines().one_sided().begin(state(), rma::Transfer::Kind::get, {reinterpret_cast<std::byte*>(to), {}},
                                        at(target, cell), sizeof(std::int64_t));
    };
    get(kLike, &like);
    loiter();
    get(kAlike, &alike);
    passive().flush(state(), target);
    if (like != alike) complain(fmt::format("finds {} and {} at {}", like, alike, target));
    return like;
  }

  void raise_likes(int target, std::int64_t from) {
    const std::int64_t& more = operands_.emplace_back(from + 1);
    for (const std::size_t cell : {kLike, kAlike}) {
      auto* const buffer = reinterpret_cast<std::byte*>(const_cast<std::int64_t*>(&more));
      rank_.engines().one_sided().begin(state(), rma::Transfer::Kind::put, {buffer, {}}, at(target, cell),
                                        sizeof(std::int64_t));
      loiter();
    }
  }

  void loiter() {
    for (int times = rng_.below(3); times > 0; --times) rank_.yield();
    if (rng_.percent(20)) rank_.progress().poll();
  }
  void complain(const std::string& text) { complaint_ += fmt::format("rank {} {}\n", rank_.number(), text); }

  Rank& rank_;
  int ranks_;
  base::Rng rng_;
  Ref<Datatype> integer_ = type_of(Element::int64, "int64"), real_ = type_of(Element::float64, "float64");
  Ref<Window> window_;
  std::deque<Step> steps_;
  std::deque<std::int64_t> operands_;
  std::map<std::pair<int, std::size_t>, std::int64_t> seen_;
  std::map<int, std::int64_t> added_;
  std::string complaint_;
};

// Takes steps off the origins' lists as long as one of the next ones begins where the last has ended; those that end
// there, too, first.
std::string check_path(const std::deque<Actor>& actors, int target, std::size_t cell, std::int64_t last) {
  std::vector<std::deque<const Step*>> left;
  for (const Actor& actor : actors) {
    std::deque<const Step*>& of_actor = left.emplace_back();
    for (const Step& step : actor.steps())
      if (step.target == target && step.cell == cell) of_actor.push_back(&step);
  }
  std::int64_t now = 0;
  const auto fits = [&](const std::deque<const Step*>& steps) {
    return !steps.empty() && steps.front()->found == now;
  };
  for (bool moved = true; moved;) {
    for (std::deque<const Step*>& steps : left)
      while (fits(steps) && steps.front()->left() == now) steps.pop_front();
    const auto next = std::ranges::find_if(left, fits);
    moved = next != left.end();
    if (moved) now = next->front()->left(), next->pop_front();
  }
  for (std::size_t origin = 0; origin < left.size(); ++origin)
    if (!left[origin].empty())
      return fmt::format("cell {} of rank {}: a step of rank {} found {:#x}, where {:#x} was left\n", cell, target,
                         origin, left[origin].front()->found, now);
  return now == last ? "" : fmt::format("cell {} of rank {} ends at {:#x}, not {:#x}\n", cell, target, last, now);
}

std::string run(std::uint64_t seed, std::size_t* steps) {
  base::Rng rng(seed);
  constexpr std::size_t kPayloads[] = {32, 48, 200};
  constexpr std::size_t kInFlight[] = {1, 3, 50};
  constexpr unsigned kMapped[] = {0, 40, 100};
  const int ranks = 1 + rng.below(7);
  const transport::sim::Conditions conditions{.capabilities = {.max_payload = rng.pick(kPayloads), .eager_limit = 40},
                                              .packets_per_pair = rng.pick(kInFlight),
                                              .refuse_percent = rng.percent(30) ? 30u : 0,
                                              .mapped = true,
                                              .mapped_percent = rng.pick(kMapped)};
  transport::sim::Nodes nodes{.of_rank = {}, .between = conditions};
  nodes.between.peer_memory = nodes.between.mapped = false;
  for (int rank = 0; rank < ranks && rng.percent(90); ++rank) nodes.of_rank.push_back(rank * 2 / ranks);
  if (static_cast<int>(nodes.of_rank.size()) != ranks) nodes.of_rank.clear();
  const int computes = rng.percent(30) ? rng.below(ranks) : -1;
  World world(ranks, conditions, seed, service::Contexts::kAsManyAsThereAre, {}, nodes);
  Shared shared(ranks);
  std::deque<Actor> actors;
  for (int rank = 0; rank < ranks; ++rank)
    actors.emplace_back(world.rank(rank), shared, seed * 31 + static_cast<unsigned>(rank));
  std::string complaint;
  try {
    int playing = computes < 0 ? ranks : ranks - 1;
    complaint = world.run([&](Rank& rank) {
      Actor& actor = actors[static_cast<std::size_t>(rank.number())];
      if (rank.number() == computes) {
        rank.progress().serve([&] { return playing == 0; }, [&] { rank.yield(); });
      } else {
        actor.play();
        if (--playing == 0 && computes >= 0) world.rank(computes).progress().wake_all();
      }
      actor.end();
    });
  } catch (const base::Error& error) {
    complaint = "unexpected error: " + error.message;
  }
  for (const Actor& actor : actors) {
    complaint += actor.complaint();
    *steps += actor.steps().size();
  }
  if (!complaint.empty()) return complaint;
  for (int target = 0; target < ranks; ++target) {
    const Cells& cells = shared.cells[static_cast<std::size_t>(target)];
    for (std::size_t cell = 0; cell < kStepped; ++cell) complaint += check_path(actors, target, cell, cells[cell]);
    std::int64_t sum = 0;
    for (const Actor& actor : actors)
      if (const auto found = actor.added().find(target); found != actor.added().end()) sum += found->second;
    if (sum != cells[kSum])
      complaint += fmt::format("the sum of rank {} is {} instead of {}\n", target, cells[kSum], sum);
  }
  return complaint;
}

TEST(PassiveTarget, DoesOneStepAtATime) {
  const auto [first, last] = seeds(1000);
  std::size_t steps = 0;
  for (std::uint64_t seed = first; seed <= last; ++seed)
    ASSERT_EQ(run(seed, &steps), "") << "replay with: ANTIPHON_SIM_SEED=" << seed
                                     << " bin/sim_test --gtest_filter=PassiveTarget.*";
  RecordProperty("steps", std::to_string(steps));
  EXPECT_GT(steps, 0u);
}

// Three ranks share rank 0's lock again and again, and none leaves before another has come after it, as long as
// another does come. Rank 0 wants it alone.
struct Sharing {
  int last = 0;  // to come
  bool rank_0_was_alone = false;
  bool has_ended = false;
};
enum class Sharers { lock, lock_all };

void share_for_ever(Rank& rank, rma::WindowState& state, Sharers how, Sharing* sharing) {
  constexpr int kRounds = 100, kLooks = 2'000;
  rma::PassiveTarget& passive = rank.engines().passive_target();
  for (int round = 0; round < kRounds && !sharing->rank_0_was_alone; ++round) {
    if (how == Sharers::lock)
      passive.lock(state, 0, Mode::shared, Check::yes);
    else
      passive.lock_all(state, Check::yes);
    sharing->last = rank.number();
    for (int look = 0; look < kLooks && sharing->last == rank.number(); ++look) {
      rank.yield();
      rank.progress().poll();
    }
    if (how == Sharers::lock)
      passive.unlock(state, 0);
    else
      passive.unlock_all(state);
  }
  if (!sharing->rank_0_was_alone) sharing->has_ended = true;
}

std::string want_it_alone(std::uint64_t seed, Sharers how, bool has_words) {
  constexpr int kRanks = 4;
  const transport::sim::Conditions conditions{.capabilities = {.max_payload = 48, .eager_limit = 40},
                                              .packets_per_pair = 3,
                                              .mapped = true,
                                              .mapped_percent = has_words ? 100u : 0u};
  World world(kRanks, conditions, seed);
  Shared shared(kRanks);
  std::deque<Actor> actors;
  for (int rank = 0; rank < kRanks; ++rank) actors.emplace_back(world.rank(rank), shared, seed);
  Sharing sharing;
  const std::string complaint = world.run([&](Rank& rank) {
    rma::WindowState& state = actors[static_cast<std::size_t>(rank.number())].state();
    if (rank.number() != 0) {
      share_for_ever(rank, state, how, &sharing);
    } else {
      for (; sharing.last == 0; rank.yield()) rank.progress().poll();
      rank.engines().passive_target().lock(state, 0, Mode::exclusive, Check::yes);
      sharing.rank_0_was_alone = true;
      rank.engines().passive_target().unlock(state, 0);
    }
    rank.engines().coll().barrier(state.comm());
  });
  return complaint + (sharing.has_ended ? "rank 0 had to wait until nobody shared the lock any more" : "");
}

class SharedLock : public testing::TestWithParam<std::tuple<Sharers, bool>> {};

TEST_P(SharedLock, DoesNotKeepOutWhoWantsItAlone) {
  const auto [how, has_words] = GetParam();
  const auto [first, last] = seeds(50);
  for (std::uint64_t seed = first; seed <= last; ++seed)
    ASSERT_EQ(want_it_alone(seed, how, has_words), "") << "seed " << seed;
}

INSTANTIATE_TEST_SUITE_P(, SharedLock,
                         testing::Values(std::tuple(Sharers::lock, true), std::tuple(Sharers::lock, false),
                                         std::tuple(Sharers::lock_all, true)));

}  // namespace
}  // namespace antiphon::sim
