// Collectives over a simulated network, carried out at once and recorded, several at a time: against what they must
// give. Also what a plan may ask of any sink, and what happens when ranks disagree. 1 to 9 ranks.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <vector>

#include "affine.hpp"
#include "base/error.hpp"
#include "engine/coll/executor.hpp"
#include "engine/coll/plans/allgather.hpp"
#include "engine/coll/plans/allgatherv.hpp"
#include "engine/coll/plans/allreduce.hpp"
#include "engine/coll/plans/alltoall.hpp"
#include "engine/coll/plans/barrier.hpp"
#include "engine/coll/plans/gather.hpp"
#include "engine/coll/plans/reduce_scatter.hpp"
#include "engine/coll/plans/scan.hpp"
#include "engine/coll/plans/scatter.hpp"
#include "engine/coll/replay.hpp"
#include "world.hpp"

namespace antiphon::sim {
namespace {

using coll::BlockList;
using coll::Recorder;
using coll::Reduction;
using coll::Region;
using coll::Shares;
using coll::Vector;
using objects::Comm;
using objects::Ref;

constexpr std::uint32_t kContext = 2;

Ref<Comm> everybody(int size, int rank) {
  return Ref<Comm>::adopt(new Comm(kContext, Ref<objects::Group>::adopt(new objects::Group(size)), rank, {}, "all"));
}

transport::sim::Conditions conditions(base::Rng& rng) {
  constexpr std::size_t kPayloads[] = {32, 64, 4096};
  constexpr unsigned kRefusals[] = {0, 0, 30};
  return {.capabilities = {.max_payload = rng.pick(kPayloads), .eager_limit = 128},
          .packets_per_pair = static_cast<std::size_t>(1 + rng.below(8)),
          .refuse_percent = rng.pick(kRefusals)};
}

// One collective of a random program; the same on all ranks.
struct Act {
  int kind;
  std::size_t count;  // numbers a block, or elements
  int root;
  bool in_place;
  bool varied;  // blocks of different lengths
};
constexpr int kKinds = 13;

std::int32_t number(int from, int to, std::size_t i) {
  return from * 1'000'000 + to * 10'000 + static_cast<std::int32_t>(i % 9973);
}

// What one rank brings to an act, and what it must have afterwards.
class Part {
 public:
  Part(const Act& act, const Comm& comm, const Reduction& composing, const Reduction& adding)
      : act_(act), rank_(comm.rank()), size_(comm.size()), composing_(composing), adding_(adding), maps_(act.count) {
    prepare();
  }

  // As before the first time.
  void prepare() {
    const auto n = static_cast<std::size_t>(size_);
    mine_.assign(act_.count * (act_.kind == 2 ? n : 1), -1);
    all_.assign(act_.count * n, -1);
    for (std::size_t i = 0; i < mine_.size(); ++i) mine_[i] = own(static_cast<int>(i / count()), i % count());
    if (in_place())
      for (std::size_t i = 0; i < all_.size(); ++i)
        if (act_.kind == 2 || static_cast<int>(i / count()) == rank_)
          all_[i] = own(static_cast<int>(i / count()), i % count());
    if (act_.kind == 7 && is_root())
      for (std::size_t i = 0; i < all_.size(); ++i)
        all_[i] = number(rank_, static_cast<int>(i / count()), i % count());
    for (std::size_t i = 0; i < act_.count; ++i) maps_.set(i, Affine::drawn(rank_, i));
    sums_ = mine_;
  }

  template <coll::Sink S>
  void plan(S& sink) {
    if (act_.varied && has_blocks()) return plan_varied(sink);
    const Region mine{mine_.data(), 4 * mine_.size()}, all{all_.data(), 4 * all_.size()};
    const std::optional<Region> given = in_place() ? std::nullopt : std::optional(mine);
    const Vector maps{maps_.address(), act_.count, composing_}, sums{sums_.data(), act_.count, adding_};
    switch (act_.kind) {
      case 0:
        return plan_allgather(sink, given, all);
      case 1:
        return plan_gather(sink, is_root() ? given : mine, all, act_.root);
      case 2:
        return plan_alltoall(sink, given, all);
      case 3:
        return plan_allreduce(sink, {}, maps);
      case 4:
        return plan_reduce(sink, is_root() ? std::nullopt : std::optional(maps), maps, act_.root);
      case 5:
        return plan_allreduce(sink, {}, sums);
      case 6:
        return plan_bcast(sink, mine, act_.root);
      case 7:
        return plan_scatter(sink, all, mine, act_.root);
      case 8:
        return plan_scan(sink, {}, maps);
      case 9:
        return plan_exscan(sink, {}, maps);
      case 10:
        return plan_reduce_scatter(sink, maps, shares(), {maps_.address(), own_share(), composing_});
      case 11:
        return plan_reduce_scatter(sink, sums, shares(), {sums_.data(), own_share(), adding_});
      default:
        return plan_barrier(sink);
    }
  }

  [[nodiscard]] bool right() const {
    for (std::size_t i = 0; i < act_.count; ++i) {
      Affine composed, before, until;  // of all ranks, of those before this one, and with this one
      std::int32_t sum = 0;
      for (int each = 0; each < size_; ++each) {
        composed = composed.followed_by(Affine::drawn(each, i));
        if (each < rank_) before = composed;
        if (each == rank_) until = composed;
        sum += number(each, act_.root, i);
      }
      if (act_.kind == 8 && maps_.at(i) != until) return false;
      if (act_.kind == 9 && maps_.at(i) != (rank_ == 0 ? Affine::drawn(0, i) : before)) return false;
      if (const std::size_t first = shares().start(rank_); i >= first && i - first < own_share()) {
        if (act_.kind == 10 && maps_.at(i - first) != composed) return false;
        if (act_.kind == 11 && sums_[i - first] != sum) return false;
      }
      if (act_.kind == 3 && maps_.at(i) != composed) return false;
      if (act_.kind == 4 && maps_.at(i) != (is_root() ? composed : Affine::drawn(rank_, i))) return false;
      if (act_.kind == 5 && sums_[i] != sum) return false;
      if (act_.kind == 6 && mine_[i] != number(act_.root, act_.root, i)) return false;
      if (act_.kind == 7 && i < length(act_.root, rank_) && mine_[i] != number(act_.root, rank_, i)) return false;
    }
    for (std::size_t i = 0; i < all_.size(); ++i) {
      const int from = static_cast<int>(i / count());
      const int to = act_.kind == 2 ? rank_ : act_.root;
      if ((act_.kind == 0 || act_.kind == 2 || (act_.kind == 1 && is_root())) && i % count() < length(from, to) &&
          all_[i] != number(from, to, i % count()))
        return false;
    }
    return maps_.gaps_untouched(act_.count);
  }

 private:
  [[nodiscard]] bool has_blocks() const { return act_.kind <= 2 || act_.kind == 7; }
  // Of the block that `from` has for `to`.
  [[nodiscard]] std::size_t length(int from, int to) const {
    const auto thirds = static_cast<std::size_t>((from + to) % 3);
    return act_.varied ? act_.count - act_.count * thirds / 3 : act_.count;
  }
  // Blocks that begin where equal ones would; `length_of` the one for or from a rank.
  template <class LengthOf>
  [[nodiscard]] BlockList listed(const std::vector<std::int32_t>& numbers, LengthOf length_of) const {
    std::vector<Region> blocks;
    for (int each = 0; each < size_; ++each)
      blocks.emplace_back(numbers.data() + act_.count * static_cast<std::size_t>(each), 4 * length_of(each));
    return BlockList(std::move(blocks));
  }
  template <coll::Sink S>
  void plan_varied(S& sink) {
    const auto mine = [&](int from, int to) { return Region{mine_.data(), 4 * length(from, to)}; };
    const BlockList from_each =
        listed(all_, [&](int from) { return length(from, act_.kind == 2 ? rank_ : act_.root); });
    const std::optional<Region> given = in_place() ? std::nullopt : std::optional(mine(rank_, act_.root));
    switch (act_.kind) {
      case 0:
        return plan_allgatherv(sink, given, from_each);
      case 1:
        return plan_gather(sink, is_root() ? given : mine(rank_, act_.root), from_each, act_.root);
      case 2: {
        if (in_place()) return plan_alltoall(sink, {}, from_each);
        return plan_alltoall(sink, listed(mine_, [&](int to) { return length(rank_, to); }), from_each);
      }
      default: {
        const BlockList for_each = listed(all_, [&](int to) { return length(act_.root, to); });
        return plan_scatter(sink, for_each, mine(act_.root, rank_), act_.root);
      }
    }
  }

  // Few for the first ranks, many for the last.
  [[nodiscard]] Shares shares() const {
    std::vector<std::size_t> starts;
    const auto n = static_cast<std::size_t>(size_);
    for (std::size_t each = 0; each <= n; ++each) starts.push_back(act_.count * each * each / (n * n));
    return Shares(std::move(starts));
  }
  [[nodiscard]] std::size_t own_share() const { return shares().start(rank_ + 1) - shares().start(rank_); }

  [[nodiscard]] std::size_t count() const { return std::max<std::size_t>(act_.count, 1); }
  [[nodiscard]] bool is_root() const { return rank_ == act_.root; }
  [[nodiscard]] bool in_place() const { return act_.in_place && (act_.kind != 1 || is_root()); }
  [[nodiscard]] std::int32_t own(int to, std::size_t i) const {
    return number(rank_, act_.kind == 2 ? to : act_.root, i);
  }

  Act act_;
  int rank_, size_;
  const Reduction& composing_;
  const Reduction& adding_;
  std::vector<std::int32_t> mine_, all_, sums_;
  AffineBuffer maps_;
};

struct Program {
  int ranks;
  transport::sim::Conditions conditions;
  std::vector<Act> acts;
};

Program random_program(std::uint64_t seed) {
  base::Rng rng(seed);
  constexpr std::size_t kCounts[] = {0, 1, 3, 60, 1100, 20'000};
  Program program{.ranks = 1 + rng.below(9), .conditions = conditions(rng), .acts = {}};
  for (int acts = 1 + rng.below(6); acts > 0; --acts)
    program.acts.push_back({.kind = rng.below(kKinds),
                            .count = kCounts[rng.below(rng.percent(10) ? 6 : 5)],
                            .root = rng.below(program.ranks),
                            .in_place = rng.percent(30),
                            .varied = rng.percent(50)});
  return program;
}

// Runs body(rank, comm, composing, adding) as every rank. The user's function sends this rank a message and receives
// it, each time.
template <class Body>
std::string run(const Program& program, std::uint64_t seed, Body body) {
  World world(program.ranks, program.conditions, seed);
  return world.run([&](Rank& rank) {
    const Ref<Comm> comm = everybody(program.ranks, rank.number());
    const auto self = Ref<Comm>::adopt(new Comm(100 + 8 * static_cast<std::uint32_t>(rank.number()),
                                                Ref<objects::Group>::adopt(new objects::Group(program.ranks)),
                                                rank.number(), {}, "by user code"));
    const auto call_mpi = [&] {
      int out = 7, in = 0;
      const auto receive = rank.pt2pt().start_receive({&in, sizeof in, rank.number(), 3, *self, self->user_space()});
      rank.pt2pt().send({&out, sizeof out, rank.number(), 3, *self, self->user_space()});
      rank.progress().wait(*receive);
      EXPECT_EQ(in, 7);
    };
    const Ref<objects::Datatype> type = affine_type();
    const auto op = Ref<objects::Op>::adopt(new objects::Op(std::make_unique<Composition>(call_mpi), false));
    const Reduction composing = *Reduction::of(*op, *type);
    const auto adding = Reduction::of(objects::Op::Kind::sum, objects::Element::int32, 4);
    body(rank, *comm, composing, adding);
  });
}

constexpr std::uint64_t kSeeds = 150;

TEST(Collectives, CarriedOutAtOnceGiveWhatTheyMust) {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const Program program = random_program(seed);
    const std::string report = run(program, seed, [&](Rank& rank, Comm& comm, const auto&... reductions) {
      for (const Act& act : program.acts) {
        Part part(act, comm, reductions...);
        coll::Executor now(rank.pt2pt(), rank.progress(), comm);
        part.plan(now);
        EXPECT_TRUE(part.right()) << "seed " << seed << " rank " << rank.number() << " kind " << act.kind;
      }
    });
    ASSERT_EQ(report, "") << "seed " << seed;
  }
}

// All are begun before any is waited for, the last begun first; then all once more.
TEST(Collectives, RecordedAndReplayedTogetherByProgressGiveWhatTheyMust) {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const Program program = random_program(seed);
    const std::string report = run(program, seed, [&](Rank& rank, Comm& comm, const auto&... reductions) {
      coll::Replays& replays = rank.engines().replays();
      std::vector<std::unique_ptr<Part>> parts;
      std::vector<std::shared_ptr<const coll::Plan>> plans;
      for (const Act& act : program.acts) {
        parts.push_back(std::make_unique<Part>(act, comm, reductions...));
        Recorder recorder(coll::everybody(comm).view);
        parts.back()->plan(recorder);
        plans.push_back(std::make_shared<const coll::Plan>(recorder.take()));
      }
      for (const char* time : {"first", "second"}) {
        std::vector<Ref<objects::Request>> requests;
        for (const auto& plan : plans) requests.push_back(replays.start(plan, comm, comm.next_nonblocking_tag()));
        while (!requests.empty()) {
          rank.progress().wait(*requests.back());
          EXPECT_EQ(requests.back()->outcome.error, 0);
          requests.pop_back();
        }
        for (std::size_t i = 0; i < parts.size(); ++i)
          EXPECT_TRUE(parts[i]->right()) << "seed " << seed << " rank " << rank.number() << " the " << time
                                         << " time, kind " << program.acts[i].kind;
        for (const auto& part : parts) part->prepare();
      }
    });
    ASSERT_EQ(report, "") << "seed " << seed;
  }
}

// A chain in which everybody passes on a chunk while the next arrives. All go from a rank to the next one.
template <coll::Sink S>
void pass_on_in_chunks(S& sink, const Region& all, int chunks) {
  const coll::View view = sink.view();
  std::vector<coll::Token> arrivals;
  if (view.rank > 0)
    for (int chunk = 0; chunk < chunks; ++chunk)
      arrivals.push_back(sink.receive(all.block(chunk, chunks), view.rank - 1));
  for (int chunk = 0; chunk < chunks; ++chunk) {
    if (view.rank > 0) sink.await(arrivals[static_cast<std::size_t>(chunk)]);
    if (view.rank + 1 < view.size) sink.send(all.block(chunk, chunks), view.rank + 1);
  }
  sink.fence();
}

TEST(Collectives, ChunksFollowEachOtherDownAChainInTheirOrder) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    base::Rng rng(seed);
    const Program program{.ranks = 1 + rng.below(6), .conditions = conditions(rng), .acts = {}};
    std::vector<std::byte> wanted(700);
    for (std::size_t i = 0; i < wanted.size(); ++i) wanted[i] = static_cast<std::byte>(i * 7 + seed);
    const std::string report = run(program, seed, [&](Rank& rank, Comm& comm, const auto&...) {
      for (const bool recorded : {false, true}) {
        std::vector<std::byte> data(wanted.size());
        if (rank.number() == 0) data = wanted;
        const Region all{data.data(), data.size()};
        if (recorded) {
          Recorder recorder(coll::everybody(comm).view);
          pass_on_in_chunks(recorder, all, 7);
          const coll::Plan plan = recorder.take();
          coll::Replay replay(rank.pt2pt(), rank.progress(), plan, coll::everybody(comm));
          rank.progress().wait([&] { return replay.advance(); }, [&] { return replay.reason(); });
        } else {
          coll::Executor now(rank.pt2pt(), rank.progress(), comm);
          pass_on_in_chunks(now, all, 7);
        }
        EXPECT_EQ(data, wanted);
      }
    });
    ASSERT_EQ(report, "") << "seed " << seed;
  }
}

template <class Call>
std::string sentence_of(Call call) {
  try {
    call();
  } catch (const base::Error& error) {
    return error.message;
  }
  return "no error";
}

TEST(Collectives, ThatExpectMoreThanTheRootSendsSayHowMuchCame) {
  World world(2, {}, 5);
  std::string told;
  EXPECT_EQ(world.run([&](Rank& rank) {
    const Ref<Comm> comm = everybody(2, rank.number());
    std::array<std::byte, 8> data{};
    const std::size_t bytes = rank.number() == 0 ? 3 : 8;
    const auto bcast = [&] { rank.engines().coll().bcast(data.data(), bytes, 0, *comm); };
    if (rank.number() == 1)
      told = sentence_of(bcast);
    else
      bcast();
  }),
            "");
  EXPECT_NE(told.find("rank 0 of all sent 3 bytes where 8 were expected"), std::string::npos) << told;
}

TEST(Collectives, OfDifferentKindsAreToldApartByTheirLengths) {
  World world(2, {}, 6);
  std::array<std::string, 2> told;
  EXPECT_EQ(world.run([&](Rank& rank) {
    const Ref<Comm> comm = everybody(2, rank.number());
    const auto adding = Reduction::of(objects::Op::Kind::sum, objects::Element::int32, 4);
    std::int32_t number = 1, sum = 0;
    coll::Collectives& coll = rank.engines().coll();
    told[static_cast<std::size_t>(rank.number())] = sentence_of([&] {
      if (rank.number() == 0)
        coll.barrier(*comm);
      else
        coll.allreduce(Vector(&number, 1, adding), {&sum, 1, adding}, *comm);
    });
  }),
            "");
  EXPECT_NE(told[0].find("do all ranks call the same"), std::string::npos) << told[0];
  EXPECT_NE(told[1].find("sent 0 bytes where 4 were expected"), std::string::npos) << told[1];
}

}  // namespace
}  // namespace antiphon::sim
