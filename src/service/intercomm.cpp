#include "service/intercomm.hpp"

#include <algorithm>

#include "abi/constants.hpp"
#include "base/error.hpp"
#include "objects/group_operations.hpp"
#include "service/comm_create.hpp"
#include "service/split.hpp"

namespace antiphon::service {

namespace {

using Words = std::vector<std::int32_t>;

// A group as numbers: its runs, or its table.
Words flatten(const Group& group) {
  Words words{group.runs().empty() ? 0 : 1};
  for (const Group::Run& run : group.runs()) words.insert(words.end(), {run.start, run.count, run.stride});
  if (group.runs().empty())
    for (int rank = 0; rank < group.size(); ++rank) words.push_back(group.world_rank(rank));
  return words;
}

// `ours` is of the same session.
Ref<Group> unflatten(const Words& words, const Group& ours) {
  objects::GroupBuilder builder;
  if (words.front() == 1)
    for (std::size_t i = 1; i < words.size(); i += 3) builder.add_run(words[i], words[i + 1], words[i + 2]);
  else
    for (std::size_t i = 1; i < words.size(); ++i) builder.add(words[i]);
  return builder.build_from(ours);
}

Words swap(Toolbox tools, const Link& with, const Words& mine) {
  const auto exchange = [&](const void* out, std::size_t out_bytes, void* in, std::size_t in_bytes) {
    const auto receiving = tools.pt2pt.start_receive({in, in_bytes, with.rank, with.tag, *with.comm, with.space});
    tools.pt2pt.send({out, out_bytes, with.rank, with.tag, *with.comm, with.space});
    tools.progress.wait(*receiving);
    (void)receiving->need_success();
  };
  std::uint64_t my_length = mine.size(), their_length = 0;
  exchange(&my_length, sizeof my_length, &their_length, sizeof their_length);
  Words theirs(their_length);
  exchange(mine.data(), mine.size() * sizeof mine[0], theirs.data(), theirs.size() * sizeof theirs[0]);
  return theirs;
}

// What the other group's leader has to say to all of us. `mine` matters on our leader only.
Words exchange(Toolbox tools, const Circle& circle, const Words& mine) {
  Words theirs;
  if (circle.bridge) theirs = swap(tools, *circle.bridge, mine);
  std::uint64_t length = theirs.size();
  tools.coll.bcast(&length, sizeof length, circle.leader, circle.comm);
  theirs.resize(length);
  tools.coll.bcast(theirs.data(), length * sizeof theirs[0], circle.leader, circle.comm);
  return theirs;
}

void need_disjoint(const Group& local, const Group& remote) {
  const objects::RankIndex in_local(local);
  for (int rank = 0; rank < remote.size(); ++rank)
    if (const int process = remote.world_rank(rank); in_local.contains(process))
      base::fail(abi::ERR_COMM, "the local and the remote group both contain rank " + std::to_string(process) +
                                    " of MPI_COMM_WORLD: the groups of an intercommunicator must be disjoint");
}

Ref<Comm> inter_child(const char* how, const Comm& parent, objects::ContextLease context, Ref<Group> local, int rank,
                      Ref<Group> remote) {
  return Ref<Comm>::adopt(new Comm({.context = std::move(context),
                                    .group = std::move(local),
                                    .rank = rank,
                                    .remote_group = std::move(remote),
                                    .errhandler = parent.errhandler_ref(),
                                    .name = objects::CommName::of_child(how, parent.naming())}));
}

// What the processes of one group want, when they are to be merged with another.
enum class High : std::int32_t { no, yes, mixed };

High agreed(Toolbox tools, bool high, Comm& local) {
  const std::int32_t mine[] = {high ? 1 : 0, high ? 0 : 1};
  std::int32_t any[2] = {};
  const auto largest = coll::Reduction::of(objects::Op::Kind::max, objects::Element::int32, sizeof mine[0]);
  tools.coll.allreduce(coll::Vector(mine, 2, largest), {any, 2, largest}, local);
  return any[0] == 0 ? High::no : any[1] == 0 ? High::yes : High::mixed;
}

void need_agreement(High high, const char* group) {
  if (high == High::mixed)
    base::fail(abi::ERR_ARG, std::string("high is true in some processes of the ") + group +
                                 " group and false in others: all of one group pass the same");
}

// Between the first processes of the two groups of a new communicator, in an old one.
Circle circle_within(Comm& inter, const Group& local, int rank, const Group& remote) {
  Circle circle{.comm = inter.local(),
                .space = inter.local().collective_space(),
                .members = &local,
                .draws = rank == 0 && local.world_rank(0) < remote.world_rank(0),
                .my_place = rank};
  if (rank == 0)
    circle.bridge =
        Link{&inter, inter.collective_space(), coll::kBlockingTag, inter.peer_group().rank_of(remote.world_rank(0))};
  return circle;
}

}  // namespace

Circle circle_of(Comm& comm, std::int32_t tag) {
  Circle circle{.comm = comm.local(), .space = comm.local().collective_space(), .tag = tag, .my_place = comm.rank()};
  if (comm.is_inter() && comm.rank() == 0) {
    circle.bridge = Link{&comm, comm.collective_space(), tag, 0};
    circle.draws = comm.group().world_rank(0) < comm.peer_group().world_rank(0);
  }
  return circle;
}

Ref<Comm> twin(const Comm& parent, objects::ContextLease context) {
  return Ref<Comm>::adopt(new Comm({.context = std::move(context),
                                    .group = parent.group_ref(),
                                    .rank = parent.rank(),
                                    .remote_group = parent.remote_group_ref(),
                                    .topology = parent.topology_ref(),
                                    .errhandler = parent.errhandler_ref(),
                                    .name = objects::CommName::of_child("dup", parent.naming())}));
}

Ref<Comm> intercomm_create(Toolbox tools, Comm& local, int local_leader, const std::optional<RemoteLeader>& remote,
                           std::int32_t tag) {
  Circle circle{.comm = local, .space = local.collective_space(), .leader = local_leader, .my_place = local.rank()};
  if (remote) {
    Comm& peer_comm = remote->peer_comm;
    circle.bridge = Link{&peer_comm, peer_comm.space(objects::MessageKind::leader), tag, remote->rank};
    circle.draws = local.world_rank(local.rank()) < peer_comm.world_rank(remote->rank);
  }
  Ref<Group> others = unflatten(exchange(tools, circle, flatten(local.group())), local.group());
  need_disjoint(local.group(), *others);
  auto context = agree(tools, circle);
  return inter_child("intercommunicator", local, std::move(context), local.group_ref(), local.rank(),
                     std::move(others));
}

Ref<Comm> intercomm_merge(Toolbox tools, Comm& inter, bool high) {
  const Circle circle = circle_of(inter);
  const High ours = agreed(tools, high, inter.local());
  struct {
    High theirs;
    std::int32_t mine_first;
  } told{};
  if (circle.bridge) {
    told.theirs = static_cast<High>(swap(tools, *circle.bridge, {static_cast<std::int32_t>(ours)}).front());
    told.mine_first = ours == told.theirs ? circle.draws : !high;
  }
  tools.coll.bcast(&told, sizeof told, 0, inter.local());
  need_agreement(ours, "local");
  need_agreement(told.theirs, "remote");
  const bool mine_first = told.mine_first != 0;
  auto context = agree(tools, circle);

  objects::GroupBuilder builder;
  builder.add_all(mine_first ? inter.group() : inter.peer_group());
  builder.add_all(mine_first ? inter.peer_group() : inter.group());
  return Ref<Comm>::adopt(new Comm({.context = std::move(context),
                                    .group = builder.build_from(inter.group()),
                                    .rank = inter.rank() + (mine_first ? 0 : inter.peers()),
                                    .errhandler = inter.errhandler_ref(),
                                    .name = objects::CommName::of_child("merger", inter.naming())}));
}

Ref<Comm> intercomm_create_subset(Toolbox tools, Comm& inter, const Ref<Group>& mine) {
  Ref<Group> theirs = unflatten(exchange(tools, circle_of(inter), flatten(*mine)), *mine);
  const int rank = mine->rank_of(inter.group().world_rank(inter.rank()));
  if (rank < 0 || theirs->size() == 0) return {};
  auto context = agree(tools, circle_within(inter, *mine, rank, *theirs));
  return inter_child("part", inter, std::move(context), mine, rank, std::move(theirs));
}

Ref<Comm> intercomm_split(Toolbox tools, Comm& inter, Color color, int key) {
  constexpr std::size_t kWords = sizeof(SplitEntry) / sizeof(Words::value_type);
  SplitChoice mine = choose(tools, color, key);
  std::vector<SplitEntry> ours(static_cast<std::size_t>(inter.size()));
  tools.coll.allgather(&mine.entry, ours.data(), sizeof mine.entry, inter.local());
  Words words(ours.size() * kWords);
  std::memcpy(words.data(), ours.data(), ours.size() * sizeof ours[0]);
  words = exchange(tools, circle_of(inter), words);
  std::vector<SplitEntry> theirs(words.size() / kWords);
  std::memcpy(theirs.data(), words.data(), theirs.size() * sizeof theirs[0]);

  const std::vector<int> local = color == abi::UNDEFINED ? std::vector<int>{} : members_of_color(ours, color);
  const std::vector<int> remote = local.empty() ? std::vector<int>{} : members_of_color(theirs, color);
  if (remote.empty()) {
    tools.contexts.give_back(std::move(mine.drawn));
    return {};
  }
  const auto rank = static_cast<int>(std::ranges::find(local, inter.rank()) - local.begin());
  const Ref<Group> local_group = group_of(inter.group(), local);
  Ref<Group> remote_group = group_of(inter.peer_group(), remote);
  const bool ours_draws = local_group->world_rank(0) < remote_group->world_rank(0);
  const SplitEntry& drawing =
      ours_draws ? ours[static_cast<std::size_t>(local.front())] : theirs[static_cast<std::size_t>(remote.front())];
  auto context =
      context_from_table(tools, std::move(mine), drawing, circle_within(inter, *local_group, rank, *remote_group));
  return inter_child("split", inter, std::move(context), local_group, rank, std::move(remote_group));
}

Ref<Comm> intercomm_create_from_groups(Toolbox tools, Comm& assembly, const Ref<Group>& local, int local_leader,
                                       const std::optional<RemoteGroup>& remote, std::string_view stringtag,
                                       const Ref<objects::Errhandler>& errhandler) {
  const Ref<Comm> ours = comm_create_from_group(tools, assembly, local, stringtag, errhandler);
  std::optional<RemoteLeader> leader;
  if (remote) leader.emplace(RemoteLeader{assembly, remote->group.world_rank(remote->leader)});
  return intercomm_create(tools, *ours, local_leader, leader, tag_of(stringtag));
}

}  // namespace antiphon::service
