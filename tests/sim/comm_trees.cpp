#include "comm_trees.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "base/error.hpp"
#include "comm_program.hpp"
#include "service/comm_create.hpp"
#include "service/duplications.hpp"
#include "service/intercomm.hpp"
#include "world.hpp"

namespace antiphon::sim {

namespace {

using objects::Comm;
using objects::Group;
using objects::Ref;

constexpr int kTag = 3;
// Messages that are there keep their communicator alive until they are waited for, also when it was freed long ago.
constexpr std::size_t kMostUnderWay = 12;

// A message is the family it belongs to, its sender and its receiver.
using Note = std::array<int, 3>;

// One rank's view: the communicators it has, by family, and what is under way.
class Member {
 public:
  Member(World& world, Rank& rank, const CommProgram& program, std::uint64_t seed)
      : rank_(rank), program_(program), rng_(seed) {
    const auto everybody = Ref<Group>::adopt(new Group(world.size()));
    comms_[0] = Ref<Comm>::adopt(new Comm(objects::kWorldContext, everybody, rank.number(), {}, "everybody"));
  }

  void play() {
    for (const Step& step : program_.steps) {
      loiter();
      if (place_in(program_.families[static_cast<std::size_t>(step.family)])) act(step);
      if (rng_.percent(3) || messages_under_way_.size() > kMostUnderWay) finish_messages();
    }
    finish_messages();
    comms_.clear();
  }

  [[nodiscard]] std::size_t contexts_left() const { return rank_.engines().contexts().alive(); }
  [[nodiscard]] const std::map<int, std::uint32_t>& contexts() const { return context_of_; }
  [[nodiscard]] const std::string& complaint() const { return complaint_; }
  [[nodiscard]] std::size_t messages() const { return messages_; }
  [[nodiscard]] std::size_t reused() const { return reused_; }

 private:
  // A message under way; nobody else keeps its communicator alive.
  struct Message {
    Note note{};
    Note expected{};  // of a receive
    Ref<objects::Request> request;
    bool receive = false;
  };

  [[nodiscard]] service::Toolbox tools() { return rank_.engines().toolbox(); }
  [[nodiscard]] const Family& family(int number) const { return program_.families[static_cast<std::size_t>(number)]; }
  [[nodiscard]] int of_me(const std::vector<int>& table) const {
    return table[static_cast<std::size_t>(rank_.number())];
  }

  // My group and my rank in it.
  struct Place {
    std::size_t side;
    int rank;
  };
  [[nodiscard]] std::optional<Place> place_in(const Family& family) const {
    for (std::size_t side = 0; side < 2; ++side)
      if (const auto at = std::ranges::find(family.groups[side], rank_.number()); at != family.groups[side].end())
        return Place{side, static_cast<int>(at - family.groups[side].begin())};
    return {};
  }
  // The family among the results of a step that I am in, or -1.
  [[nodiscard]] int mine(const std::vector<int>& results) const {
    for (const int result : results)
      if (place_in(family(result))) return result;
    return -1;
  }

  void loiter() {
    for (int times = rng_.below(4); times > 0; --times) rank_.yield();
    if (rng_.percent(30)) rank_.progress().poll();
  }

  void act(const Step& step) {
    Comm& parent = *comms_.at(step.kind == Step::Kind::settle ? 0 : step.family);
    switch (step.kind) {
      case Step::Kind::dup:
        return have(step.results[0], service::comm_dup(tools(), parent));
      case Step::Kind::idup:
        pending_[step.results[0]] = rank_.engines().duplications().start(parent);
        return;
      case Step::Kind::settle: {
        const auto started = pending_.extract(step.family).mapped();
        rank_.progress().wait(*started.request);
        return have(step.family, started.copy);
      }
      case Step::Kind::split:
        return have(mine(step.results), service::comm_split(tools(), parent, of_me(step.colors), of_me(step.keys)));
      case Step::Kind::create:
        return create(step, parent);
      case Step::Kind::overlap:
        return overlap(step, parent);
      case Step::Kind::connect:
        return connect(step, parent);
      case Step::Kind::merge: {
        const std::size_t side = place_in(family(step.family))->side;
        return have(step.results[0], service::intercomm_merge(tools(), parent, step.choice[side] != 0));
      }
      case Step::Kind::traffic:
        return traffic(step, parent);
      case Step::Kind::collect:
        return collect(step, parent);
      case Step::Kind::free:
        comms_.erase(step.family);
    }
  }

  static Ref<Group> group(const Ranks& ranks) { return Ref<Group>::adopt(new Group(ranks)); }

  void create(const Step& step, Comm& parent) {
    const bool inter = family(step.family).inter();
    const std::size_t side = place_in(family(step.family))->side;
    const int result = mine(step.results);
    const Ranks named = inter        ? family(step.results[0]).groups[side]
                        : result < 0 ? Ranks{}
                                     : family(result).groups[0];
    const bool exists = result >= 0 && (!inter || (!family(result).groups[0].empty() && family(result).inter()));
    have(exists ? result : -1, service::comm_create(tools(), parent, group(named)));
  }

  // What several threads would do: all constructions are under way at the same time, begun in any order.
  void overlap(const Step& step, Comm& parent) {
    struct Construction {
      int family;
      Ref<Group> group;
      std::unique_ptr<service::Agreement> agreement;
    };
    std::vector<Construction> all;
    for (const int result : step.results)
      if (place_in(family(result))) all.push_back({result, group(family(result).groups[0]), nullptr});
    rng_.shuffle(all);
    for (Construction& one : all) {
      loiter();
      one.agreement.reset(new service::Agreement(tools(), {.comm = parent,
                                                           .space = parent.space(objects::MessageKind::group),
                                                           .tag = one.family,
                                                           .members = one.group.get(),
                                                           .my_place = place_in(family(one.family))->rank}));
    }
    rank_.progress().wait(
        [&] {
          bool done = true;
          for (Construction& one : all) done &= one.agreement->advance();
          return done;
        },
        [&] { return all.front().agreement->reason(); });
    for (Construction& one : all)
      have(one.family,
           Ref<Comm>::adopt(new Comm(
               {.context = one.agreement->take(), .group = one.group, .rank = place_in(family(one.family))->rank})));
  }

  void connect(const Step& step, Comm& parent) {
    const Family& inter = family(step.results[2]);
    const Place me = *place_in(inter);
    have(step.results[me.side], service::comm_split(tools(), parent, of_me(step.colors), 0));
    const auto leader = [&](std::size_t side) {
      return inter.groups[side][static_cast<std::size_t>(step.choice[side])];
    };
    std::optional<service::RemoteLeader> remote;
    if (leader(me.side) == rank_.number())
      remote.emplace(service::RemoteLeader{parent, parent.group().rank_of(leader(1 - me.side))});
    have(step.results[2],
         service::intercomm_create(tools(), *comms_.at(step.results[me.side]), step.choice[me.side], remote, kTag));
  }

  // Rank i of n sends to rank (i + shift) mod the number of its peers.
  void traffic(const Step& step, Comm& comm) {
    const Family& here = family(step.family);
    const Place me = *place_in(here);
    const std::size_t other = here.inter() ? 1 - me.side : me.side;
    const auto target = [&](int from, std::size_t peers) {
      return static_cast<int>(static_cast<std::size_t>(from + step.shift) % peers);
    };
    for (int from = 0; from < static_cast<int>(here.groups[other].size()); ++from) {
      if (target(from, here.groups[me.side].size()) != me.rank) continue;
      Message& in = messages_under_way_.emplace_back();
      in.receive = true;
      in.expected = {step.family, here.groups[other][static_cast<std::size_t>(from)], rank_.number()};
      in.request = Ref<objects::Request>::share(
          *rank_.pt2pt().start_receive({in.note.data(), sizeof in.note, from, kTag, comm, comm.user_space()}));
    }
    loiter();
    const int to = target(me.rank, here.groups[other].size());
    Message& out = messages_under_way_.emplace_back();
    out.note = {step.family, rank_.number(), here.groups[other][static_cast<std::size_t>(to)]};
    if (const auto request =
            rank_.pt2pt().start_send({out.note.data(), sizeof out.note, to, kTag, comm, comm.user_space()}))
      out.request = Ref<objects::Request>::share(*request);
    if (step.free_pending) comms_.erase(step.family);
  }

  // Everybody gets its peers' ranks in the job, from everybody and by way of a root; the sum of them; and what the
  // root gives.
  void collect(const Step& step, Comm& comm) {
    const Family& here = family(step.family);
    const Place me = *place_in(here);
    const std::size_t other = here.inter() ? 1 - me.side : me.side;
    const auto root_side = static_cast<std::size_t>(step.choice[0]);
    const bool is_root = me.side == root_side && me.rank == step.shift;
    const int root = !here.inter() || me.side != root_side ? step.shift : is_root ? abi::ROOT : abi::PROC_NULL;
    const Ranks& peers = here.groups[other];
    const int number = rank_.number();

    coll_.barrier(comm);
    Ranks all(peers.size()), given(peers.size());
    const Ranks out(peers.size(), number);
    coll_.allgather(&number, all.data(), sizeof number, comm);
    coll_.alltoall(out.data(), given.data(), sizeof number, comm);
    if (all != peers || given != peers) complain(fmt::format("family {}: wrong ranks from its peers", step.family));

    const auto adding = coll::Reduction::of(objects::Op::Kind::sum, objects::Element::int32, sizeof number);
    int sum = -1;
    coll_.allreduce(coll::Vector(&number, 1, adding), {&sum, 1, adding}, comm);
    const int expected = std::accumulate(peers.begin(), peers.end(), 0);
    if (sum != expected) complain(fmt::format("family {}: {} instead of the sum {}", step.family, sum, expected));

    if (root == abi::PROC_NULL) return;
    int word = is_root ? number : -1, share = -1, total = -1;
    coll_.bcast(&word, sizeof word, root, comm);
    coll_.reduce(coll::Vector(&number, 1, adding), {&total, 1, adding}, root, comm);
    const std::size_t bytes = peers.size() * sizeof number;
    coll_.gather(coll::Region(&number, sizeof number), {all.data(), bytes}, root, comm);
    coll_.scatter({out.data(), bytes}, coll::Region(&share, sizeof share), root, comm);
    const int root_number = here.groups[root_side][static_cast<std::size_t>(step.shift)];
    if (word != root_number || (!(here.inter() && is_root) && share != root_number))
      complain(fmt::format("family {}: {} and {} from the root {}", step.family, word, share, root_number));
    if (is_root && (all != peers || total != expected))
      complain(fmt::format("family {}: wrong ranks, or their sum {}, at the root", step.family, total));
  }

  void finish_messages() {
    for (Message& message : messages_under_way_) {
      if (!message.request) continue;
      rank_.progress().wait(*message.request);
      if (!message.receive) continue;
      ++messages_;
      if (message.request->outcome.error != 0 || message.note != message.expected)
        complain(fmt::format("expected family {} from {} to {}, got family {} from {} to {}", message.expected[0],
                             message.expected[1], message.expected[2], message.note[0], message.note[1],
                             message.note[2]));
    }
    messages_under_way_.clear();
  }

  // A constructor has returned this for that family; -1 where it should be none.
  void have(int number, Ref<Comm> comm) {
    if (!comm || number < 0) {
      if (comm || number >= 0) complain(fmt::format("family {}: {}", number, comm ? "unexpected" : "missing"));
      return;
    }
    const Place me = *place_in(family(number));
    const auto same = [](const Group& group, const Ranks& ranks) {
      if (group.size() != static_cast<int>(ranks.size())) return false;
      for (int rank = 0; rank < group.size(); ++rank)
        if (group.world_rank(rank) != ranks[static_cast<std::size_t>(rank)]) return false;
      return true;
    };
    const std::size_t other = family(number).inter() ? 1 - me.side : me.side;
    if (comm->rank() != me.rank || comm->is_inter() != family(number).inter() ||
        !same(comm->group(), family(number).groups[me.side]) ||
        !same(comm->peer_group(), family(number).groups[other]))
      complain(fmt::format("family {} has other members than it should", number));
    for (const auto& [other_number, alive] : comms_)
      if (alive->context() == comm->context())
        complain(fmt::format("families {} and {} have the same context", number, other_number));
    for (const Message& message : messages_under_way_)
      if (message.request && message.request->comm().context() == comm->context())
        complain(fmt::format("family {} has the context of one that still has messages under way", number));
    if (!contexts_seen_.insert(comm->context()).second) ++reused_;
    context_of_[number] = comm->context();
    comms_[number] = std::move(comm);
  }

  void complain(const std::string& text) { complaint_ += fmt::format("rank {}: {}\n", rank_.number(), text); }

  Rank& rank_;
  const CommProgram& program_;
  coll::Collectives& coll_ = rank_.engines().coll();
  base::Rng rng_;
  std::map<int, Ref<Comm>> comms_;
  std::map<int, service::Duplications::Started> pending_;
  std::map<int, std::uint32_t> context_of_;
  std::set<std::uint32_t> contexts_seen_;
  std::deque<Message> messages_under_way_;
  std::string complaint_;
  std::size_t messages_ = 0, reused_ = 0;
};

// All members of a family must have got the same number.
std::string compare_contexts(const std::deque<Member>& members) {
  std::map<int, std::uint32_t> first;
  std::string complaint;
  for (const Member& member : members)
    for (const auto& [family, context] : member.contexts())
      if (const auto [known, is_new] = first.emplace(family, context); !is_new && known->second != context)
        complaint += fmt::format("family {} has contexts {} and {}\n", family, known->second, context);
  return complaint;
}

}  // namespace

CommVerdict run_comm_trees(std::uint64_t seed) {
  const CommProgram program = random_comm_program(seed);
  World world(program.ranks, program.conditions, seed, program.context_block);
  std::deque<Member> members;
  for (int rank = 0; rank < program.ranks; ++rank)
    members.emplace_back(world, world.rank(rank), program, seed * 31 + static_cast<unsigned>(rank));

  CommVerdict verdict;
  try {
    verdict.complaint = world.run([&](Rank& rank) { members[static_cast<std::size_t>(rank.number())].play(); });
  } catch (const base::Error& error) {
    verdict.complaint = "unexpected error: " + error.message;
  }
  verdict.complaint += compare_contexts(members);
  for (const Member& member : members) {
    verdict.complaint += member.complaint();
    if (verdict.complaint.empty() && member.contexts_left() != 0)
      verdict.complaint += fmt::format("{} communicators are left at the end\n", member.contexts_left());
    verdict.communicators += member.contexts().size();
    verdict.messages += member.messages();
    verdict.reused += member.reused();
  }
  return verdict;
}

}  // namespace antiphon::sim
