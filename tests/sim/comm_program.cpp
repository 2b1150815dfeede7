#include "comm_program.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "abi/constants.hpp"
#include "base/rng.hpp"

namespace antiphon::sim {

namespace {

// So many that a block of contexts that is soon used up still has room for all of them.
constexpr int kMostAlive = 10;

class Author {
 public:
  explicit Author(std::uint64_t seed) : rng_(seed) {
    constexpr std::size_t kPayloads[] = {8, 24, 64};
    constexpr std::size_t kInFlight[] = {1, 3, 50};
    constexpr std::uint64_t kDelays[] = {1, 20, 300};
    constexpr unsigned kRefusals[] = {0, 0, 30};
    constexpr std::uint32_t kBlocks[] = {3 * kMostAlive, 3 * kMostAlive, 1000};
    program_ = {.ranks = 2 + rng_.below(7),
                .conditions = {.capabilities = {.max_payload = rng_.pick(kPayloads), .eager_limit = 40},
                               .packets_per_pair = rng_.pick(kInFlight),
                               .max_delay = rng_.pick(kDelays),
                               .refuse_percent = rng_.pick(kRefusals)},
                .context_block = rng_.pick(kBlocks),
                .families = {},
                .steps = {}};
    Ranks everybody(static_cast<std::size_t>(program_.ranks));
    std::iota(everybody.begin(), everybody.end(), 0);
    alive_.push_back(add({everybody, {}}));
  }

  CommProgram write() {
    for (int steps = 20 + rng_.below(300); steps > 0; --steps) step();
    for (const int family : unsettled_) {
      program_.steps.push_back({.kind = Step::Kind::settle, .family = family});
      alive_.push_back(family);
    }
    for (const int family : std::vector<int>(alive_)) use(family);
    return std::move(program_);
  }

 private:
  void step() {
    const int family = rng_.pick(alive_);
    if (alive_.size() > kMostAlive) return release(family);
    if (unsettled_.size() > kMostAlive / 3) return settle();
    switch (rng_.below(12)) {
      case 0:
        return keep(begin(Step::Kind::dup, family), add(of(family)));
      case 1: {
        const int copy = add(of(family));
        begin(Step::Kind::idup, family).results = {copy};
        return unsettled_.push_back(copy);
      }
      case 2:
        return settle();
      case 3:
        return split(family);
      case 4:
        return create(family);
      case 5:
        return overlap(family);
      case 6:
        return of(family).inter() ? merge(family) : connect(family);
      case 7:
        return release(family);
      case 8:
        return collect(family);
      default:
        return traffic(family);
    }
  }

  Step& begin(Step::Kind kind, int family) {
    program_.steps.push_back({.kind = kind, .family = family});
    return program_.steps.back();
  }
  [[nodiscard]] const Family& of(int family) const { return program_.families[static_cast<std::size_t>(family)]; }
  int add(Family family) {
    program_.families.push_back(std::move(family));
    return static_cast<int>(program_.families.size()) - 1;
  }
  void keep(Step& step, int family) {
    step.results.push_back(family);
    alive_.push_back(family);
  }

  void settle() {
    if (unsettled_.empty()) return;
    const int family = rng_.pick(unsettled_);
    begin(Step::Kind::settle, family);
    std::erase(unsettled_, family);
    alive_.push_back(family);
  }

  void split(int family) {
    Step step{.kind = Step::Kind::split, .family = family};
    const int colors = 1 + rng_.below(3);
    for (int rank = 0; rank < program_.ranks; ++rank) {
      step.colors.push_back(rng_.percent(15) ? abi::UNDEFINED : rng_.below(colors));
      step.keys.push_back(rng_.below(4) - 2);
    }
    const Family parent = of(family);
    for (int color = 0; color < colors; ++color) {
      Family child;
      for (std::size_t side = 0; side < 2; ++side) {
        for (const int rank : parent.groups[side])
          if (step.colors[static_cast<std::size_t>(rank)] == color) child.groups[side].push_back(rank);
        std::ranges::stable_sort(child.groups[side], {},
                                 [&](int rank) { return step.keys[static_cast<std::size_t>(rank)]; });
      }
      const bool exists = !child.groups[0].empty() && (!parent.inter() || child.inter());
      if (exists) keep(step, add(std::move(child)));
    }
    program_.steps.push_back(std::move(step));
  }

  // A few of these ranks, in any order.
  Ranks some_of(const Ranks& ranks) {
    Ranks chosen = ranks;
    rng_.shuffle(chosen);
    chosen.resize(rng_.below(chosen.size() + 1));
    return chosen;
  }

  void create(int family) {
    Step step{.kind = Step::Kind::create, .family = family};
    const Family parent = of(family);
    if (parent.inter()) {
      Family child{{some_of(parent.groups[0]), some_of(parent.groups[1])}};
      const bool exists = !child.groups[0].empty() && !child.groups[1].empty();
      step.results.push_back(add(std::move(child)));
      if (exists) alive_.push_back(step.results.back());
    } else {
      Ranks left = parent.groups[0];
      for (int groups = 1 + rng_.below(3); groups > 0 && !left.empty(); --groups) {
        Ranks members = some_of(left);
        std::erase_if(left, [&](int rank) { return std::ranges::count(members, rank) != 0; });
        if (!members.empty()) keep(step, add({{std::move(members), {}}}));
      }
    }
    program_.steps.push_back(std::move(step));
  }

  void overlap(int family) {
    const Family parent = of(family);
    if (parent.inter()) return;
    Step step{.kind = Step::Kind::overlap, .family = family};
    for (int groups = 1 + rng_.below(4); groups > 0; --groups)
      if (Ranks members = some_of(parent.groups[0]); !members.empty()) keep(step, add({{std::move(members), {}}}));
    program_.steps.push_back(std::move(step));
  }

  void connect(int family) {
    const Ranks all = of(family).groups[0];
    if (all.size() < 2) return;
    Step step{.kind = Step::Kind::connect, .family = family};
    Family inter;
    step.colors.resize(static_cast<std::size_t>(program_.ranks));
    for (const int rank : all) {
      const std::size_t side = rng_.below(std::size_t{2});
      step.colors[static_cast<std::size_t>(rank)] = static_cast<int>(side);
      inter.groups[side].push_back(rank);
    }
    if (inter.groups[0].empty() || inter.groups[1].empty()) return;
    for (std::size_t side = 0; side < 2; ++side) {
      step.choice[side] = static_cast<int>(rng_.below(inter.groups[side].size()));
      keep(step, add({{inter.groups[side], {}}}));
    }
    keep(step, add(std::move(inter)));
    program_.steps.push_back(std::move(step));
  }

  void merge(int family) {
    const Family parent = of(family);
    Step step{.kind = Step::Kind::merge, .family = family};
    for (int& high : step.choice) high = rng_.below(2);
    const auto leads = [&](std::size_t side) { return parent.groups[side].front(); };
    const bool first_first =
        step.choice[0] != step.choice[1] ? step.choice[0] == 0 : leads(0) < leads(1);  // our own rule for a tie
    Ranks all = parent.groups[first_first ? 0 : 1];
    const Ranks& others = parent.groups[first_first ? 1 : 0];
    all.insert(all.end(), others.begin(), others.end());
    keep(step, add({{std::move(all), {}}}));
    program_.steps.push_back(std::move(step));
  }

  void traffic(int family) {
    used_.insert(family);
    Step& step = begin(Step::Kind::traffic, family);
    step.shift = rng_.below(8);
    step.free_pending = family != 0 && rng_.percent(40);
    if (step.free_pending) std::erase(alive_, family);
  }

  void collect(int family) {
    Step& step = begin(Step::Kind::collect, family);
    step.choice[0] = of(family).inter() ? rng_.below(2) : 0;
    step.shift = static_cast<int>(rng_.below(of(family).groups[static_cast<std::size_t>(step.choice[0])].size()));
  }

  // Nothing goes unused.
  void use(int family) {
    if (!used_.contains(family)) traffic(family);
  }

  void release(int family) {
    if (family == 0) return;
    use(family);
    if (std::ranges::count(alive_, family) == 0) return;  // traffic has freed it
    begin(Step::Kind::free, family);
    std::erase(alive_, family);
  }

  base::Rng rng_;
  CommProgram program_;
  std::vector<int> alive_;
  std::vector<int> unsettled_;
  std::set<int> used_;  // families that have had traffic
};

}  // namespace

CommProgram random_comm_program(std::uint64_t seed) { return Author(seed).write(); }

}  // namespace antiphon::sim
