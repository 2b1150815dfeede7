#include "service/comm_create.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "abi/constants.hpp"

namespace antiphon::service {

using objects::Comm;
using objects::Group;
using objects::Ref;

namespace {

// What hang reports call a communicator that the user gave no name.
std::string default_name(const char* how, const Comm& parent) { return fmt::format("{} of {}", how, parent.name()); }

}  // namespace

Ref<Comm> comm_dup(coll::Collectives& coll, Contexts& contexts, Comm& parent) {
  const std::uint32_t context = contexts.agree(coll, parent);
  return Ref<Comm>::adopt(
      new Comm(context, parent.group_ref(), parent.rank(), parent.errhandler_ref(), default_name("dup", parent)));
}

Ref<Comm> comm_split(coll::Collectives& coll, Contexts& contexts, Comm& parent, int color, int key) {
  struct Choice {
    int color, key;
  };
  std::vector<Choice> choices(static_cast<std::size_t>(parent.size()));
  const Choice mine{color, key};
  coll.allgather(&mine, choices.data(), sizeof mine, parent);
  const std::uint32_t context = contexts.agree(coll, parent);
  if (color == abi::UNDEFINED) return {};

  const auto choice = [&](int rank) { return choices[static_cast<std::size_t>(rank)]; };
  std::vector<int> members;
  for (int rank = 0; rank < parent.size(); ++rank)
    if (choice(rank).color == color) members.push_back(rank);
  std::stable_sort(members.begin(), members.end(), [&](int a, int b) { return choice(a).key < choice(b).key; });

  const auto me = std::find(members.begin(), members.end(), parent.rank());
  const auto my_rank = static_cast<int>(me - members.begin());
  for (int& member : members) member = parent.world_rank(member);
  return Ref<Comm>::adopt(new Comm(context, Ref<Group>::adopt(new Group(std::move(members))), my_rank,
                                   parent.errhandler_ref(), default_name("split", parent)));
}

}  // namespace antiphon::service
