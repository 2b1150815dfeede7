// Random puts and gets between fences, between post, start, complete and wait, and between lock and unlock, in one
// piece and scattered on either side, seed after seed, against a model. What a rank finds in another's memory as if
// it were its own is drawn for each pair; on which way the rest goes, or that it is learned, for each seed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <deque>
#include <set>

#include "abi/constants.hpp"
#include "base/error.hpp"
#include "base/rng.hpp"
#include "engine/data/buffer.hpp"
#include "seeds.hpp"
#include "world.hpp"

namespace antiphon::sim {
namespace {

using objects::Comm;
using objects::Group;
using objects::Ref;
using objects::Window;
using rma::Transfer;

// Each target has a slot for each origin, which nobody else touches.
constexpr std::size_t kSlotBytes = 700;
using Slot = std::array<std::byte, kSlotBytes>;

// How bytes lie: one after the other, at one distance, or as only a list can say.
enum class Lie { one_piece, strided, listed };

std::size_t position(Lie lie, std::size_t i) {
  switch (lie) {
    case Lie::strided:
      return 3 * i;
    case Lie::listed:
      return 2 * i + (i % 3 == 0 ? 1 : 0);
    default:
      return i;
  }
}
std::size_t span(Lie lie, std::size_t bytes) { return bytes == 0 ? 0 : position(lie, bytes - 1) + 1; }

Ref<Group> group_of(const std::vector<int>& ranks) { return Ref<Group>::adopt(new Group(ranks)); }

// What an origin does to its slot of a target in one phase: nothing twice to the same byte.
struct Act {
  Transfer::Kind kind;
  std::size_t offset;
  std::size_t bytes;
  unsigned value;  // of the first byte put
  Lie here, there;
};
struct Phase {
  enum class How { fences, groups, locks } how;
  std::vector<std::vector<std::vector<Act>>> acts;  // by origin and target
  std::vector<std::set<int>> origins;               // by target: whom it posts for; acts are theirs only
};
struct OneSidedProgram {
  int ranks;
  transport::sim::Conditions conditions;
  settings::Values settings;
  std::vector<Phase> phases;
};

Ref<objects::Datatype> a_byte() {
  using objects::Element;
  return Ref<objects::Datatype>::adopt(
      new objects::Datatype(Element::byte, objects::basics_of(Element::byte, 1, 0), 1, "byte"));
}

Ref<objects::Datatype> type_of(Lie lie, std::size_t bytes, const Ref<objects::Datatype>& byte) {
  const auto n = static_cast<std::int64_t>(bytes);
  objects::Recipe recipe{.combiner = abi::COMBINER_HVECTOR, .large = true, .numbers = {n, 1, 3}, .types = {byte}};
  if (lie == Lie::one_piece || bytes == 0) recipe.numbers = {1, n, 0};
  if (lie == Lie::listed) {
    recipe.combiner = abi::COMBINER_HINDEXED;
    recipe.numbers.assign(1 + bytes, 1);
    recipe.numbers.front() = n;
    for (std::size_t i = 0; i < bytes; ++i)
      recipe.numbers.push_back(static_cast<std::int64_t>(position(Lie::listed, i)));
  }
  auto made = Ref<objects::Datatype>::adopt(new objects::Datatype(std::move(recipe)));
  made->commit();
  return made;
}

std::byte value_at(const Act& act, std::size_t i) { return static_cast<std::byte>(act.value + 7 * i); }

OneSidedProgram random_program(std::uint64_t seed) {
  base::Rng rng(seed);
  constexpr std::size_t kPayloads[] = {32, 48, 200};
  constexpr std::size_t kInFlight[] = {1, 3, 50};
  constexpr unsigned kRefusals[] = {0, 0, 30};
  using settings::BulkWay;
  constexpr BulkWay kWays[] = {BulkWay::automatic, BulkWay::automatic,      BulkWay::pipes,
                               BulkWay::direct,    BulkWay::streamed_pipes, BulkWay::packets};
  using How = Phase::How;
  constexpr How kHow[] = {How::fences, How::groups, How::locks};
  constexpr Lie kLies[] = {Lie::one_piece, Lie::one_piece, Lie::strided, Lie::listed};
  OneSidedProgram program{.ranks = 1 + rng.below(7),
                          .conditions = {.capabilities = {.max_payload = rng.pick(kPayloads),
                                                          .eager_limit = 40,
                                                          .least_part = 20,
                                                          .least_run = 1},
                                         .packets_per_pair = rng.pick(kInFlight),
                                         .refuse_percent = rng.pick(kRefusals),
                                         .peer_memory = rng.percent(80),
                                         .refuse_copy_percent = rng.pick(kRefusals),
                                         .system_copies = rng.percent(60),
                                         .mapped = true,
                                         .mapped_percent = 40,
                                         .pipes = static_cast<unsigned>(rng.below(3))},
                          .settings = {},
                          .phases = {}};
  program.settings.bulk_way = rng.pick(kWays);
  const auto ranks = static_cast<std::size_t>(program.ranks);
  for (int phases = 1 + rng.below(8); phases > 0; --phases) {
    Phase phase{.how = rng.pick(kHow), .acts = {}, .origins = std::vector<std::set<int>>(ranks)};
    phase.acts.assign(ranks, std::vector<std::vector<Act>>(ranks));
    for (std::size_t origin = 0; origin < ranks; ++origin)
      for (std::size_t target = 0; target < ranks; ++target) {
        if (rng.percent(50)) phase.origins[target].insert(static_cast<int>(origin));
        if (phase.how == How::groups && !phase.origins[target].contains(static_cast<int>(origin))) continue;
        for (std::size_t offset = 0; rng.percent(60);) {
          offset += rng.below(std::size_t{60});
          const Act act{.kind = rng.percent(50) ? Transfer::Kind::put : Transfer::Kind::get,
                        .offset = offset,
                        .bytes = rng.below(std::size_t{rng.percent(50) ? 100u : 300u}),
                        .value = static_cast<unsigned>(rng.below(256)),
                        .here = rng.pick(kLies),
                        .there = rng.pick(kLies)};
          offset += span(act.there, act.bytes);
          if (offset > kSlotBytes) break;
          phase.acts[origin][target].push_back(act);
        }
      }
    program.phases.push_back(std::move(phase));
  }
  return program;
}

// What all ranks' memory must be.
using Model = std::vector<std::vector<Slot>>;  // by target and origin

class Member {
 public:
  Member(Rank& rank, const OneSidedProgram& program, std::deque<std::vector<Slot>>& memories, std::uint64_t seed)
      : rank_(rank), program_(program), memories_(memories), rng_(seed) {
    const auto everybody = Ref<Group>::adopt(new Group(program.ranks));
    const auto comm = Ref<Comm>::adopt(new Comm(objects::kWorldContext, everybody, rank.number(), {}, "everybody"));
    std::vector<rma::Exposed> exposed;
    for (const std::vector<Slot>& memory : memories)
      exposed.push_back({.address = reinterpret_cast<std::uintptr_t>(memory.data()),
                         .bytes = memory.size() * sizeof(Slot),
                         .home = static_cast<std::int32_t>(exposed.size())});
    window_ = Ref<Window>::adopt(new Window({.flavor = Window::Flavor::create, .comm = comm, .errhandler = {}}));
    one_sided_.admit(window_, exposed);
    model_.assign(static_cast<std::size_t>(program.ranks),
                  std::vector<Slot>(static_cast<std::size_t>(program.ranks), Slot{}));
  }

  void play() {
    for (const Phase& phase : program_.phases) {
      loiter();
      switch (phase.how) {
        case Phase::How::fences:
          between_fences(phase);
          break;
        case Phase::How::groups:
          between_post_and_wait(phase);
          break;
        case Phase::How::locks:
          between_lock_and_unlock(phase);
          break;
      }
      check();
    }
    rank_.engines().flush();  // of unlocks, which nobody answers, while their targets still look
    active_target_.fence(state(), abi::MODE_NOSUCCEED);
    if (state().under_way() != 0) complain("work is left at the end");
  }
  [[nodiscard]] const std::string& complaint() const { return complaint_; }
  [[nodiscard]] std::size_t transfers() const { return transfers_; }

 private:
  static constexpr std::byte kGap{0xa5};  // in buffers

  [[nodiscard]] rma::WindowState& state() const { return window_->state(); }
  [[nodiscard]] std::size_t me() const { return static_cast<std::size_t>(rank_.number()); }

  void between_fences(const Phase& phase) {
    active_target_.fence(state(), abi::MODE_NOPRECEDE);
    begin_all(phase);
    active_target_.fence(state(), abi::MODE_NOSUCCEED);
    end_all(phase);
  }

  void between_post_and_wait(const Phase& phase) {
    const std::set<int>& origins = phase.origins[me()];
    std::vector<int> targets;
    for (int target = 0; target < program_.ranks; ++target)
      if (phase.origins[static_cast<std::size_t>(target)].contains(rank_.number())) targets.push_back(target);
    rng_.shuffle(targets);
    active_target_.post(state(), *group_of({origins.begin(), origins.end()}), 0);
    loiter();
    active_target_.start(state(), *group_of(targets), 0);
    begin_all(phase);
    active_target_.complete(state());
    loiter();
    if (rng_.percent(50))
      while (!active_target_.test(state())) rank_.yield();
    else
      active_target_.wait(state());
    end_all(phase);
  }

  // Locks of all targets, or of one after the other; all begin when nobody looks at the memory any more, and look
  // when all are done.
  void between_lock_and_unlock(const Phase& phase) {
    rank_.engines().coll().barrier(window_->comm());
    rma::PassiveTarget& passive = rank_.engines().passive_target();
    const bool all_at_once = rng_.percent(50);
    const auto check = rma::PassiveTarget::Check::yes;
    buffers_.clear();
    if (all_at_once) passive.lock_all(state(), check);
    for (int target = 0; target < program_.ranks; ++target) {
      const auto mode = rng_.percent(50) ? rma::WindowLock::Mode::shared : rma::WindowLock::Mode::exclusive;
      if (!all_at_once) passive.lock(state(), target, mode, check);
      begin_at(phase, target);
      if (rng_.percent(30)) passive.flush(state(), target);
      if (rng_.percent(30)) passive.flush_local(state(), target);
      if (!all_at_once) passive.unlock(state(), target);
    }
    if (all_at_once) passive.unlock_all(state());
    rank_.engines().coll().barrier(window_->comm());
    end_all(phase);
  }

  // What is put leaves from memory that stays as it is until the epoch is over.
  void begin_all(const Phase& phase) {
    buffers_.clear();
    for (int target = 0; target < program_.ranks; ++target) begin_at(phase, target);
  }
  void begin_at(const Phase& phase, int target) {
    for (const Act& act : phase.acts[me()][static_cast<std::size_t>(target)]) begin(target, act);
  }

  // Types are gone when it has begun.
  void begin(int target, const Act& act) {
    std::vector<std::byte>& buffer = buffers_.emplace_back(span(act.here, act.bytes), kGap);
    for (std::size_t i = 0; act.kind == Transfer::Kind::put && i < act.bytes; ++i)
      buffer[position(act.here, i)] = value_at(act, i);
    const Ref<objects::Datatype> here = type_of(act.here, act.bytes, byte_);
    const Ref<objects::Datatype> there = type_of(act.there, act.bytes, byte_);
    const data::Buffer local(buffer.data(), 1, *here);
    one_sided_.begin(state(), act.kind, {local.begin(), local.scattered()},
                     {.target = target,
                      .displacement = static_cast<std::int64_t>(me() * sizeof(Slot) + act.offset),
                      .count = 1,
                      .type = *there,
                      .bytes = act.bytes},
                     act.bytes);
    ++transfers_;
    loiter();
  }

  // Gets must have found what was there before; then the model learns what was put, everywhere.
  void end_all(const Phase& phase) {
    auto buffer = buffers_.begin();
    for (std::size_t target = 0; target < model_.size(); ++target)
      for (const Act& act : phase.acts[me()][target]) {
        std::vector<std::byte> expected(span(act.here, act.bytes), kGap);
        for (std::size_t i = 0; i < act.bytes; ++i)
          expected[position(act.here, i)] = act.kind == Transfer::Kind::get
                                                ? model_[target][me()][act.offset + position(act.there, i)]
                                                : value_at(act, i);
        if (*buffer++ != expected) complain(fmt::format("wrong bytes here, of {}", target));
      }
    for (std::size_t origin = 0; origin < model_.size(); ++origin)
      for (std::size_t target = 0; target < model_.size(); ++target)
        for (const Act& act : phase.acts[origin][target])
          for (std::size_t i = 0; act.kind == Transfer::Kind::put && i < act.bytes; ++i)
            model_[target][origin][act.offset + position(act.there, i)] = value_at(act, i);
  }

  // Nobody can reach in here now.
  void check() {
    for (std::size_t origin = 0; origin < model_.size(); ++origin)
      if (memories_[me()][origin] != model_[me()][origin]) complain(fmt::format("wrong bytes put by {}", origin));
  }

  void loiter() {
    for (int times = rng_.below(3); times > 0; --times) rank_.yield();
    if (rng_.percent(20)) rank_.progress().poll();
  }
  void complain(const std::string& text) { complaint_ += fmt::format("rank {}: {}\n", rank_.number(), text); }

  Rank& rank_;
  const OneSidedProgram& program_;
  std::deque<std::vector<Slot>>& memories_;
  rma::OneSided& one_sided_ = rank_.engines().one_sided();
  rma::ActiveTarget& active_target_ = rank_.engines().active_target();
  base::Rng rng_;
  Ref<Window> window_;
  Ref<objects::Datatype> byte_ = a_byte();
  Model model_;
  std::deque<std::vector<std::byte>> buffers_;
  std::string complaint_;
  std::size_t transfers_ = 0;
};

// What was done, how often.
struct Done {
  std::size_t transfers = 0;
  std::uint64_t copied_alone = 0, in_pipes = 0, streamed = 0, copied_by_both = 0, in_packets = 0;

  void add(const counters::Counters& counted) {
    copied_alone += counted.window_copies.value();
    in_pipes += counted.long_messages_in_pipes.value();
    streamed += counted.long_messages_streamed.value();
    copied_by_both += counted.long_messages_copied.value();
    in_packets += counted.long_messages_in_packets.value();
  }
};

std::string run(std::uint64_t seed, Done* done) {
  const OneSidedProgram program = random_program(seed);
  World world(program.ranks, program.conditions, seed, service::Contexts::kAsManyAsThereAre, program.settings);
  std::deque<std::vector<Slot>> memories(static_cast<std::size_t>(program.ranks),
                                         std::vector<Slot>(static_cast<std::size_t>(program.ranks), Slot{}));
  std::deque<Member> members;
  for (int rank = 0; rank < program.ranks; ++rank)
    members.emplace_back(world.rank(rank), program, memories, seed * 31 + static_cast<unsigned>(rank));
  std::string complaint;
  try {
    complaint = world.run([&](Rank& rank) { members[static_cast<std::size_t>(rank.number())].play(); });
  } catch (const base::Error& error) {
    complaint = "unexpected error: " + error.message;
  }
  for (const Member& member : members) {
    complaint += member.complaint();
    done->transfers += member.transfers();
  }
  for (int rank = 0; rank < world.size(); ++rank) done->add(world.rank(rank).counters());
  return complaint;
}

TEST(OneSided, PutsAndGetsWhatTheModelSays) {
  const auto [first, last] = seeds(1000);
  Done done;
  for (std::uint64_t seed = first; seed <= last; ++seed)
    ASSERT_EQ(run(seed, &done), "") << "replay with: ANTIPHON_SIM_SEED=" << seed
                                    << " bin/sim_test --gtest_filter=OneSided.*";
  RecordProperty("transfers", std::to_string(done.transfers));
  if (first == last) return;
  EXPECT_GT(done.copied_alone, 0u);
  EXPECT_GT(done.in_pipes, 0u);
  EXPECT_GT(done.streamed, 0u);
  EXPECT_GT(done.copied_by_both, 0u);
  EXPECT_GT(done.in_packets, 0u);
}

// ---- order among messages

constexpr std::size_t kWide = 150;  // more than a packet
constexpr int kTurns = 12;

// Everybody puts its turn into all bytes of its slot of everybody else, in packets, and then says so, again and
// again; messages are of all lengths. Whoever hears of a turn finds it done, or one that came later.
class Teller {
 public:
  Teller(Rank& rank, int ranks, std::uint64_t seed)
      : rank_(rank),
        rng_(seed),
        everybody_(Ref<Group>::adopt(new Group(ranks))),
        messages_(Ref<Comm>::adopt(new Comm(objects::kAssemblyContext, everybody_, rank.number(), {}, "messages"))),
        memory_(static_cast<std::size_t>(ranks) * kWide) {}

  [[nodiscard]] rma::Exposed exposes() const {
    return {
        .address = reinterpret_cast<std::uintptr_t>(memory_.data()), .bytes = memory_.size(), .home = rank_.number()};
  }

  std::string tell(const std::vector<rma::Exposed>& exposed) {
    const auto comm = Ref<Comm>::adopt(new Comm(objects::kWorldContext, everybody_, rank_.number(), {}, "everybody"));
    const auto window =
        Ref<Window>::adopt(new Window({.flavor = Window::Flavor::create, .comm = comm, .errhandler = {}}));
    rma::OneSided& one_sided = rank_.engines().one_sided();
    rma::ActiveTarget& active_target = rank_.engines().active_target();
    one_sided.admit(window, exposed);
    active_target.fence(window->state(), abi::MODE_NOPRECEDE);
    for (int turn = 1; turn <= kTurns; ++turn) {
      std::vector<std::byte>& buffer = buffers_.emplace_back(kWide, static_cast<std::byte>(turn));
      for (int target = 0; target < comm->size(); ++target)
        if (target != rank_.number()) put_and_tell(window->state(), target, buffer);
    }
    for (int turn = 1; turn <= kTurns; ++turn)
      for (int origin = 0; origin < comm->size(); ++origin)
        if (origin != rank_.number()) hear(origin, turn);
    for (const Ref<pt2pt::SendRequest>& request : leaving_) rank_.engines().progress().wait(*request);
    active_target.fence(window->state(), abi::MODE_NOSUCCEED);
    return complaint_;
  }

 private:
  void put_and_tell(rma::WindowState& state, int target, std::vector<std::byte>& buffer) {
    rank_.engines().one_sided().begin(state, Transfer::Kind::put, {buffer.data(), {}},
                                      {.target = target,
                                       .displacement = rank_.number() * static_cast<std::int64_t>(kWide),
                                       .count = kWide,
                                       .type = *byte_,
                                       .bytes = kWide},
                                      kWide);
    if (auto request = rank_.engines().pt2pt().start_send({.buffer = buffer.data(),
                                                           .bytes = rng_.below(kWide),
                                                           .destination = target,
                                                           .tag = 0,
                                                           .comm = *messages_,
                                                           .space = messages_->user_space()}))
      leaving_.push_back(std::move(request));
    if (rng_.percent(20)) rank_.progress().poll();
  }

  // Packets of one put come in order, so the front of the slot may be ahead of its end.
  void hear(int origin, int turn) {
    std::array<std::byte, kWide> message;
    rank_.engines().pt2pt().receive({.buffer = message.data(),
                                     .capacity = message.size(),
                                     .source = origin,
                                     .tag = 0,
                                     .comm = *messages_,
                                     .space = messages_->user_space()});
    const std::byte* slot = memory_.data() + static_cast<std::size_t>(origin) * kWide;
    for (std::size_t i = 0; i < kWide; ++i)
      if (slot[i] < static_cast<std::byte>(turn) || (i > 0 && slot[i] > slot[i - 1])) {
        complaint_ = fmt::format("rank {} hears of turn {} of rank {} and finds {} at byte {}\n", rank_.number(),
                                 turn, origin, static_cast<int>(slot[i]), i);
        return;
      }
  }

  Rank& rank_;
  base::Rng rng_;
  Ref<Group> everybody_;
  Ref<Comm> messages_;
  std::vector<std::byte> memory_;
  std::deque<std::vector<std::byte>> buffers_;
  std::vector<Ref<pt2pt::SendRequest>> leaving_;
  std::string complaint_;
  Ref<objects::Datatype> byte_ = a_byte();
};

std::string tell_each_other(std::uint64_t seed) {
  base::Rng rng(seed);
  constexpr std::size_t kPayloads[] = {32, 48, 100};
  constexpr std::size_t kInFlight[] = {1, 2, 20};
  constexpr unsigned kRefusals[] = {0, 30, 60};
  const int ranks = 2 + rng.below(4);
  settings::Values settings;
  settings.bulk_way = settings::BulkWay::packets;
  World world(ranks,
              {.capabilities = {.max_payload = rng.pick(kPayloads), .eager_limit = 70},
               .packets_per_pair = rng.pick(kInFlight),
               .refuse_percent = rng.pick(kRefusals)},
              seed, service::Contexts::kAsManyAsThereAre, settings);
  std::deque<Teller> tellers;
  std::vector<rma::Exposed> exposed;
  for (int rank = 0; rank < ranks; ++rank) {
    tellers.emplace_back(world.rank(rank), ranks, seed * 37 + static_cast<unsigned>(rank));
    exposed.push_back(tellers.back().exposes());
  }
  std::string complaint;
  const std::string stuck =
      world.run([&](Rank& rank) { complaint += tellers[static_cast<std::size_t>(rank.number())].tell(exposed); });
  return stuck + complaint;
}

TEST(OneSided, AMessageIsBehindThePutsBeforeIt) {
  const auto [first, last] = seeds(300);
  for (std::uint64_t seed = first; seed <= last; ++seed)
    ASSERT_EQ(tell_each_other(seed), "")
        << "replay with: ANTIPHON_SIM_SEED=" << seed << " bin/sim_test --gtest_filter=OneSided.*";
}

}  // namespace
}  // namespace antiphon::sim
