// Every algorithm of every collective, forced in turn, against a naive reference: random programs of collectives, at
// once and while others are under way, on overlapping communicators and mixed with messages. 1 to 33 ranks, on one
// node or several. ANTIPHON_SIM_COLLECTIVES says how many seeds (600), ANTIPHON_SIM_SEED runs one alone.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "collective_act.hpp"
#include "engine/coll/executor.hpp"
#include "seeds.hpp"
#include "settings/text.hpp"
#include "world.hpp"

namespace antiphon::sim {
namespace {

using objects::Comm;
using objects::Ref;

// All settings that say how a collective is done, with each of their choices but the automatic one.
struct Forced {
  const settings::Setting* setting;
  std::int64_t choice;

  [[nodiscard]] std::string_view name() const { return setting->choices[static_cast<std::size_t>(choice)]; }
  [[nodiscard]] bool is_hierarchical() const { return name() == "hierarchical"; }
};
std::vector<Forced> all_forced() {
  std::vector<Forced> all;
  for (const settings::Setting& setting : settings::all())
    if (setting.where.starts_with("engine/coll/plans/"))
      for (std::size_t choice = 1; choice < setting.choices.size(); ++choice)
        all.push_back({&setting, static_cast<std::int64_t>(choice)});
  return all;
}

// The collectives that a setting is about.
std::vector<Collective> collectives_of(std::string_view setting) {
  constexpr std::pair<std::string_view, Collective> kAll[] = {{"barrier", Collective::barrier},
                                                              {"bcast", Collective::bcast},
                                                              {"reduce", Collective::reduce},
                                                              {"allreduce", Collective::allreduce},
                                                              {"gather", Collective::gather},
                                                              {"scatter", Collective::scatter},
                                                              {"allgather", Collective::allgather},
                                                              {"allgatherv", Collective::allgatherv},
                                                              {"alltoall", Collective::alltoall},
                                                              {"alltoallv", Collective::alltoallv},
                                                              {"reduce_scatter", Collective::reduce_scatter},
                                                              {"scan", Collective::scan},
                                                              {"scan", Collective::exscan}};
  std::vector<Collective> found;
  for (const auto& [name, collective] : kAll)
    if (setting == std::string(name) + "_algorithm") found.push_back(collective);
  return found;
}

struct Program {
  int ranks = 1;
  transport::sim::Conditions conditions;
  transport::sim::Nodes nodes;
  settings::Values settings;
  std::vector<std::vector<int>> members;  // of each communicator
  std::vector<Act> acts;
  std::string forced;  // for whoever reads of a failure
};

class Writer {
 public:
  explicit Writer(std::uint64_t seed) : rng_(seed), seed_(seed) {}

  Program write() {
    Program program;
    program.ranks = rng_.percent(75) ? 1 + rng_.below(9) : 1 + rng_.below(33);
    program.conditions = conditions();
    const std::vector<Forced> all = all_forced();
    const Forced& forced = all[static_cast<std::size_t>(seed_ % all.size())];
    if (program.ranks > 1 && rng_.percent(forced.is_hierarchical() ? 90 : 40))
      program.nodes = nodes(program.ranks, program.conditions);
    program.members.emplace_back();
    for (int rank = 0; rank < program.ranks; ++rank) program.members[0].push_back(rank);
    for (int more = rng_.below(4); more > 0; --more) program.members.push_back(some_of(program.members[0]));

    for (const Forced& each : all)  // others at random
      if (rng_.percent(20)) set(each, program);
    set(forced, program);
    program.settings.tree_radix = 2 << rng_.below(4);
    if (rng_.percent(70)) program.settings.pipeline_chunk = static_cast<std::size_t>(1 + rng_.below(300));
    const std::vector<Collective> wanted = collectives_of(forced.setting->name);
    for (int acts = 2 + rng_.below(6); acts > 0; --acts) program.acts.push_back(act(wanted, program));
    return program;
  }

 private:
  transport::sim::Conditions conditions() {
    constexpr std::size_t kPayloads[] = {32, 64, 4096, 65536};
    constexpr unsigned kRefusals[] = {0, 0, 30};
    return {.capabilities = {.max_payload = rng_.pick(kPayloads), .eager_limit = 128},
            .packets_per_pair = static_cast<std::size_t>(1 + rng_.below(8)),
            .refuse_percent = rng_.pick(kRefusals)};
  }
  // Neighbours together, in turn, or anyhow.
  transport::sim::Nodes nodes(int ranks, const transport::sim::Conditions& conditions) {
    const int number = 2 + rng_.below(4), how = rng_.below(3);
    transport::sim::Nodes nodes{.of_rank = {}, .between = conditions};
    for (int rank = 0; rank < ranks; ++rank)
      nodes.of_rank.push_back(how == 0 ? rank * number / ranks : how == 1 ? rank % number : rng_.below(number));
    // Of a cluster the numbers have no holes, whoever is first.
    std::vector<int> known;
    for (int& node : nodes.of_rank) {
      if (std::ranges::find(known, node) == known.end()) known.push_back(node);
      node = static_cast<int>(std::ranges::find(known, node) - known.begin());
    }
    return nodes;
  }
  std::vector<int> some_of(const std::vector<int>& ranks) {
    std::vector<int> some;
    for (const int rank : ranks)
      if (rng_.percent(60)) some.push_back(rank);
    if (some.empty()) some.push_back(ranks.back());
    if (rng_.percent(30)) std::ranges::reverse(some);
    return some;
  }
  static void set(const Forced& forced, Program& program) {
    forced.setting->set(program.settings, forced.choice);
    program.forced = fmt::format("{}={}", forced.setting->name, forced.name());
  }
  Act act(const std::vector<Collective>& wanted, const Program& program) {
    constexpr std::size_t kCounts[] = {0, 1, 2, 5, 33, 34, 60, 250, 1000, 20'000};
    constexpr std::size_t kMost = std::size_t{1} << 20;  // bytes of all ranks, roughly
    const int comm = rng_.below(static_cast<int>(program.members.size()));
    const int size = static_cast<int>(program.members[static_cast<std::size_t>(comm)].size());
    const auto ranks = static_cast<std::size_t>(size);
    const bool is_long = rng_.percent(4);
    const std::size_t count = kCounts[rng_.below(is_long ? 10 : 9)];
    return {.what = rng_.percent(60) ? wanted[static_cast<std::size_t>(rng_.below(static_cast<int>(wanted.size())))]
                                     : static_cast<Collective>(rng_.below(kCollectives)),
            .elements = static_cast<std::size_t>(rng_.below(kElements)),
            .count = std::min(count, is_long ? kMost / ranks : 20 * kMost / (ranks * ranks * ranks * 16)),
            .root = rng_.below(size),
            .in_place = rng_.percent(30),
            .comm = comm,
            .blocking = rng_.percent(60),
            .salt = rng_.next()};
  }

  base::Rng rng_;
  std::uint64_t seed_;
};

// A rank's side of a program.
class Player {
 public:
  Player(const Program& program, Rank& rank, std::uint64_t seed)
      : program_(program), rank_(rank), seed_(seed), elements_(all_elements([this] { call_mpi(); })) {
    constexpr std::uint32_t kFirstContext = 2, kStep = 8;
    for (std::size_t i = 0; i < program.members.size(); ++i) {
      const std::vector<int>& members = program.members[i];
      const auto found = std::ranges::find(members, rank.number());
      comms_.push_back(found == members.end()
                           ? Ref<Comm>()
                           : Ref<Comm>::adopt(new Comm(kFirstContext + kStep * static_cast<std::uint32_t>(i),
                                                       Ref<objects::Group>::adopt(new objects::Group(members)),
                                                       static_cast<int>(found - members.begin()), {}, "some")));
    }
  }

  void play() {
    for (const Act& act : program_.acts) {
      exchange();
      if (Comm* comm = comms_[static_cast<std::size_t>(act.comm)].get()) perform(act, *comm);
    }
    finish();
  }

 private:
  struct UnderWay {
    Act act;
    std::unique_ptr<ActOfRank> part;
    Ref<objects::Request> request;
  };
  struct Message {
    std::uint64_t word;
    Ref<objects::Request> request;
    std::uint64_t wanted;
  };

  void perform(const Act& act, Comm& comm) {
    auto part = std::make_unique<ActOfRank>(act, *elements_[act.elements], comm.rank(), comm.size());
    const coll::Choice choice = rank_.engines().coll().choice(comm);
    if (act.blocking) {
      coll::Executor now(rank_.pt2pt(), rank_.progress(), comm);
      part->plan(now, choice);
      return check(act, *part);
    }
    coll::Recorder recorder(coll::everybody(comm).view);
    part->plan(recorder, choice);
    Ref<objects::Request> request = rank_.engines().replays().start(
        std::make_shared<const coll::Plan>(recorder.take()), comm, comm.next_nonblocking_tag());
    under_way_.push_back({act, std::move(part), std::move(request)});
  }
  void check(const Act& act, const ActOfRank& part) const {
    const std::string wrong = part.wrong();
    EXPECT_EQ(wrong, "") << "seed " << seed_ << ", rank " << rank_.number() << " of " << program_.ranks << ": "
                         << act.text() << " with " << program_.forced;
  }
  // A message to the next of all ranks, and one from the one before, which need not be over soon.
  void exchange() {
    Comm& everybody = *comms_[0];
    const int next = (rank_.number() + 1) % program_.ranks;
    const int before = (rank_.number() + program_.ranks - 1) % program_.ranks;
    const auto word = [&](int from) { return static_cast<std::uint64_t>(from) * 1000 + sent_; };
    Message& in = *messages_.emplace_back(std::make_unique<Message>(Message{0, {}, word(before)}));
    in.request =
        rank_.pt2pt().start_receive({&in.word, sizeof in.word, before, 5, everybody, everybody.user_space()});
    std::uint64_t out = word(rank_.number());
    rank_.pt2pt().send({&out, sizeof out, next, 5, everybody, everybody.user_space()});
    ++sent_;
  }
  void finish() {
    for (; !under_way_.empty(); under_way_.pop_back()) {
      UnderWay& last = under_way_.back();
      rank_.progress().wait(*last.request);
      EXPECT_EQ(last.request->outcome.error, 0);
      check(last.act, *last.part);
    }
    for (const auto& message : messages_) {
      rank_.progress().wait(*message->request);
      EXPECT_EQ(message->word, message->wanted);
    }
  }
  // What the user's functions do besides.
  void call_mpi() {
    std::uint64_t out = 7, in = 0;
    Comm& comm = *comms_[0];
    const auto receive = rank_.pt2pt().start_receive({&in, sizeof in, rank_.number(), 3, comm, comm.user_space()});
    rank_.pt2pt().send({&out, sizeof out, rank_.number(), 3, comm, comm.user_space()});
    rank_.progress().wait(*receive);
    EXPECT_EQ(in, 7u);
  }

  const Program& program_;
  Rank& rank_;
  std::uint64_t seed_;
  std::vector<std::unique_ptr<Elements>> elements_;
  std::vector<Ref<Comm>> comms_;
  std::vector<UnderWay> under_way_;
  std::vector<std::unique_ptr<Message>> messages_;
  std::uint64_t sent_ = 0;
};

TEST(Collectives, ByEveryAlgorithmGiveWhatANaiveReferenceDoes) {
  const Seeds seeds = sim::seeds(600, "ANTIPHON_SIM_COLLECTIVES");
  for (std::uint64_t seed = seeds.first; seed <= seeds.last && !HasFailure(); ++seed) {
    const Program program = Writer(seed).write();
    World world(program.ranks, program.conditions, seed, service::Contexts::kAsManyAsThereAre, program.settings,
                program.nodes);
    const std::string report = world.run([&](Rank& rank) { Player(program, rank, seed).play(); });
    ASSERT_EQ(report, "") << "seed " << seed << " with " << program.forced;
  }
}

}  // namespace
}  // namespace antiphon::sim
