// Random puts and gets between fences, and between post, start, complete and wait, seed after seed, against a model.
// What a rank finds in another's memory as if it were its own, and what takes packets, is drawn for each pair.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <deque>
#include <set>

#include "abi/constants.hpp"
#include "base/error.hpp"
#include "base/rng.hpp"
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
constexpr std::size_t kSlotBytes = 256;
using Slot = std::array<std::byte, kSlotBytes>;

// What an origin does to its slot of a target in one phase: nothing twice to the same byte.
struct Act {
  Transfer::Kind kind;
  std::size_t offset;
  std::size_t bytes;
  unsigned value;  // of the first byte put
};
struct Phase {
  bool fences;
  std::vector<std::vector<std::vector<Act>>> acts;  // by origin and target
  std::vector<std::set<int>> origins;               // by target: whom it posts for; acts are theirs only
};
struct OneSidedProgram {
  int ranks;
  transport::sim::Conditions conditions;
  std::vector<Phase> phases;
};

Ref<objects::Datatype> a_byte() {
  using objects::Element;
  return Ref<objects::Datatype>::adopt(
      new objects::Datatype(Element::byte, objects::basics_of(Element::byte, 1, 0), 1, "byte"));
}

std::byte value_at(const Act& act, std::size_t i) { return static_cast<std::byte>(act.value + 7 * i); }

OneSidedProgram random_program(std::uint64_t seed) {
  base::Rng rng(seed);
  constexpr std::size_t kPayloads[] = {32, 48, 200};
  constexpr std::size_t kInFlight[] = {1, 3, 50};
  constexpr unsigned kRefusals[] = {0, 0, 30};
  OneSidedProgram program{.ranks = 1 + rng.below(7),
                          .conditions = {.capabilities = {.max_payload = rng.pick(kPayloads), .eager_limit = 40},
                                         .packets_per_pair = rng.pick(kInFlight),
                                         .refuse_percent = rng.pick(kRefusals),
                                         .mapped = true,
                                         .mapped_percent = 40},
                          .phases = {}};
  const auto ranks = static_cast<std::size_t>(program.ranks);
  for (int phases = 1 + rng.below(8); phases > 0; --phases) {
    Phase phase{.fences = rng.percent(50), .acts = {}, .origins = std::vector<std::set<int>>(ranks)};
    phase.acts.assign(ranks, std::vector<std::vector<Act>>(ranks));
    for (std::size_t origin = 0; origin < ranks; ++origin)
      for (std::size_t target = 0; target < ranks; ++target) {
        if (rng.percent(50)) phase.origins[target].insert(static_cast<int>(origin));
        if (!phase.fences && !phase.origins[target].contains(static_cast<int>(origin))) continue;
        for (std::size_t offset = 0; rng.percent(60);) {
          offset += rng.below(std::size_t{60});
          const std::size_t bytes = rng.below(std::size_t{100});
          if (offset + bytes > kSlotBytes) break;
          phase.acts[origin][target].push_back({rng.percent(50) ? Transfer::Kind::put : Transfer::Kind::get, offset,
                                                bytes, static_cast<unsigned>(rng.below(256))});
          offset += bytes;
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
      if (phase.fences)
        between_fences(phase);
      else
        between_post_and_wait(phase);
      check();
    }
    active_target_.fence(state(), abi::MODE_NOSUCCEED);
    if (state().under_way() != 0) complain("work is left at the end");
  }
  [[nodiscard]] const std::string& complaint() const { return complaint_; }
  [[nodiscard]] std::size_t transfers() const { return transfers_; }

 private:
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
    active_target_.post(state(), Group(std::vector<int>(origins.begin(), origins.end())), 0);
    loiter();
    active_target_.start(state(), Group(targets), 0);
    begin_all(phase);
    active_target_.complete(state());
    loiter();
    if (rng_.percent(50))
      while (!active_target_.test(state())) rank_.yield();
    else
      active_target_.wait(state());
    end_all(phase);
  }

  // What is put leaves from memory that stays as it is until the epoch is over.
  void begin_all(const Phase& phase) {
    buffers_.clear();
    for (int target = 0; target < program_.ranks; ++target)
      for (const Act& act : phase.acts[me()][static_cast<std::size_t>(target)]) begin(target, act);
  }

  void begin(int target, const Act& act) {
    std::vector<std::byte>& buffer = buffers_.emplace_back(act.bytes);
    for (std::size_t i = 0; act.kind == Transfer::Kind::put && i < act.bytes; ++i) buffer[i] = value_at(act, i);
    one_sided_.begin(state(), act.kind, {buffer.data(), {}},
                     {.target = target,
                      .displacement = static_cast<std::int64_t>(me() * sizeof(Slot) + act.offset),
                      .count = static_cast<std::int64_t>(act.bytes),
                      .type = *byte_,
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
        const std::vector<std::byte>& got = *buffer++;
        if (act.kind == Transfer::Kind::get &&
            std::memcmp(got.data(), model_[target][me()].data() + act.offset, act.bytes) != 0)
          complain(fmt::format("wrong bytes from {}", target));
      }
    for (std::size_t origin = 0; origin < model_.size(); ++origin)
      for (std::size_t target = 0; target < model_.size(); ++target)
        for (const Act& act : phase.acts[origin][target])
          for (std::size_t i = 0; act.kind == Transfer::Kind::put && i < act.bytes; ++i)
            model_[target][origin][act.offset + i] = value_at(act, i);
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

std::string run(std::uint64_t seed, std::size_t* transfers) {
  const OneSidedProgram program = random_program(seed);
  World world(program.ranks, program.conditions, seed);
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
    *transfers += member.transfers();
  }
  return complaint;
}

TEST(OneSided, PutsAndGetsWhatTheModelSays) {
  const auto [first, last] = seeds(1000);
  std::size_t transfers = 0;
  for (std::uint64_t seed = first; seed <= last; ++seed)
    ASSERT_EQ(run(seed, &transfers), "")
        << "replay with: ANTIPHON_SIM_SEED=" << seed << " bin/sim_test --gtest_filter=OneSided.*";
  RecordProperty("transfers", std::to_string(transfers));
  EXPECT_GT(transfers, 0u);
}

// ---- order among messages

constexpr std::size_t kWide = 150;  // more than a packet
constexpr int kTurns = 12;

// Everybody puts its turn into all bytes of its slot of everybody else, by packets, and then says so, again and
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
  World world(ranks,
              {.capabilities = {.max_payload = rng.pick(kPayloads), .eager_limit = 70},
               .packets_per_pair = rng.pick(kInFlight),
               .refuse_percent = rng.pick(kRefusals)},
              seed);
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
