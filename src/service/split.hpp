// What MPI_Comm_split of both kinds of communicators is made of. Every process brings a number along with color and
// key, so that when the table is known the new communicators' contexts are as well: their leaders' numbers.
#pragma once

#include <vector>

#include "service/agreement.hpp"

namespace antiphon::service {

struct SplitEntry {
  int color;
  int key;
  std::uint32_t context;
  std::uint32_t fresh;
};

// A process's own entry and the number in it.
struct SplitChoice {
  SplitEntry entry;
  Contexts::Drawn drawn;
};

[[nodiscard]] SplitChoice choose(Toolbox tools, int color, int key);

// The ranks with this color, ordered by key, then by rank.
[[nodiscard]] std::vector<int> members_of_color(const std::vector<SplitEntry>& table, int color);
[[nodiscard]] Ref<Group> group_of(const Group& parent, const std::vector<int>& ranks);

// The context that the entry of the one who draws names, once it is sure that nobody uses it. circle.draws says
// whether that is this process. A number of mine that is not it goes back.
[[nodiscard]] objects::ContextLease context_from_table(Toolbox tools, SplitChoice mine, const SplitEntry& drawing,
                                                       const Circle& circle);

}  // namespace antiphon::service
