#include "service/comm_create.hpp"

#include <algorithm>

#include "abi/constants.hpp"
#include "service/agreement.hpp"
#include "service/intercomm.hpp"
#include "service/split.hpp"

namespace antiphon::service {

namespace {

// Made before its members agree on its context, since nothing may fail afterwards.
Ref<Comm> child(const char* how, const Comm& parent, Ref<Group> group, int rank,
                Ref<objects::Topology> topology = {}) {
  return Ref<Comm>::adopt(new Comm({.context = objects::ContextLease(objects::kUndecidedContext),
                                    .group = std::move(group),
                                    .rank = rank,
                                    .topology = std::move(topology),
                                    .errhandler = parent.errhandler_ref(),
                                    .name = objects::CommName::of_child(how, parent.naming())}));
}

// FNV-1a, without the sign bit.
constexpr std::uint32_t kHashStart = 2166136261u, kHashFactor = 16777619u;

}  // namespace

Ref<Comm> comm_dup(Toolbox tools, Comm& parent) {
  Ref<Comm> made = twin(parent);
  made->set_context(agree(tools, circle_of(parent)));
  return made;
}

Ref<Comm> comm_create(Toolbox tools, Comm& parent, const Ref<Group>& group) {
  return parent.is_inter() ? intercomm_create_subset(tools, parent, group)
                           : comm_of_members(tools, parent, group, "part");
}

Ref<Comm> comm_of_members(Toolbox tools, Comm& parent, const Ref<Group>& group, const char* how,
                          Ref<objects::Topology> topology) {
  const int rank = group->rank_of(parent.world_rank(parent.rank()));
  if (rank < 0) return {};
  Ref<Comm> made = child(how, parent, group, rank, std::move(topology));
  made->set_context(
      agree(tools, {.comm = parent, .space = parent.collective_space(), .members = group.get(), .my_place = rank}));
  return made;
}

Ref<Comm> comm_create_group(Toolbox tools, Comm& parent, const Ref<Group>& group, std::int32_t tag) {
  const int rank = group->rank_of(parent.world_rank(parent.rank()));
  if (rank < 0) return {};
  Ref<Comm> made = child("part", parent, group, rank);
  made->set_context(agree(tools, {.comm = parent,
                                  .space = parent.space(objects::MessageKind::group),
                                  .tag = tag,
                                  .members = group.get(),
                                  .my_place = rank}));
  return made;
}

Ref<Comm> comm_split(Toolbox tools, Comm& parent, Color color, int key) {
  if (parent.is_inter()) return intercomm_split(tools, parent, color, key);
  SplitChoice mine = choose(tools, color, key);
  std::vector<SplitEntry> table(static_cast<std::size_t>(parent.size()));
  tools.coll.allgather(&mine.entry, table.data(), sizeof mine.entry, parent);
  if (color == abi::UNDEFINED) return {};

  int leader = 0;
  const Ref<Comm> made = tools.progress.insist([&] {
    const std::vector<int> members = members_of_color(table, color);
    leader = members.front();
    const auto me = std::ranges::find(members, parent.rank());
    return child("split", parent, group_of(parent.group(), members), static_cast<int>(me - members.begin()));
  });
  const int rank = made->rank();
  made->set_context(context_from_table(tools, std::move(mine), table[static_cast<std::size_t>(leader)],
                                       {.comm = parent,
                                        .space = parent.collective_space(),
                                        .members = &made->group(),
                                        .draws = rank == 0,
                                        .my_place = rank}));
  return made;
}

std::int32_t tag_of(std::string_view stringtag) {
  std::uint32_t hash = kHashStart;
  for (const char letter : stringtag) hash = (hash ^ static_cast<unsigned char>(letter)) * kHashFactor;
  return static_cast<std::int32_t>(hash & INT32_MAX);
}

Ref<Comm> comm_create_from_group(Toolbox tools, Comm& assembly, const Ref<Group>& group, std::string_view stringtag,
                                 Ref<objects::Errhandler> errhandler) {
  Ref<Comm> made = comm_create_group(tools, assembly, group, tag_of(stringtag));
  if (made) made->set_errhandler(std::move(errhandler));
  return made;
}

}  // namespace antiphon::service
