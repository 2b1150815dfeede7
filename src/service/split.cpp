#include "service/split.hpp"

#include <algorithm>

#include "abi/constants.hpp"
#include "objects/group_operations.hpp"

namespace antiphon::service {

SplitChoice choose(Toolbox tools, Color color, int key) {
  if (color == abi::UNDEFINED) return {{color, key, Contexts::kNone, 1}, {}};
  Contexts::Drawn drawn = tools.contexts.draw();
  const SplitEntry entry{color, key, drawn.lease.context(), drawn.fresh ? 1u : 0u};
  return {entry, std::move(drawn)};
}

std::vector<int> members_of_color(const std::vector<SplitEntry>& table, Color color) {
  std::vector<int> members;
  for (std::size_t rank = 0; rank < table.size(); ++rank)
    if (table[rank].color == color) members.push_back(static_cast<int>(rank));
  std::ranges::stable_sort(members, {}, [&](int rank) { return table[static_cast<std::size_t>(rank)].key; });
  return members;
}

Ref<Group> group_of(const Group& parent, const std::vector<int>& ranks) {
  return objects::group_include(parent, ranks);
}

objects::ContextLease context_from_table(Toolbox tools, SplitChoice mine, const SplitEntry& drawing,
                                         const Circle& circle) {
  const bool settled = drawing.fresh && drawing.context != Contexts::kNone;
  if (circle.draws) return settled ? std::move(mine.drawn.lease) : agree(tools, circle, std::move(mine.drawn));
  tools.contexts.give_back(std::move(mine.drawn));
  return settled ? tools.progress.insist([&] { return tools.contexts.take(drawing.context); }) : agree(tools, circle);
}

}  // namespace antiphon::service
