// MPI_Comm_split of intra- and intercommunicators. Every process sends a context id along with color and key, so
// the new communicators have theirs when all have the table: the ids of their leaders.
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "service/agreement.hpp"

namespace antiphon::service {

// What MPI_Comm_split is given, or what tells a part of one node's hardware from all others of the job.
using Color = std::int64_t;

struct SplitEntry {
  Color color;
  int key;
  std::uint32_t context;
  std::uint64_t fresh;  // wide enough to leave no gap, for entries are sent as bytes
};
static_assert(std::has_unique_object_representations_v<SplitEntry>);

// A process's own entry and the number in it.
struct SplitChoice {
  SplitEntry entry;
  Contexts::Drawn drawn;
};

[[nodiscard]] SplitChoice choose(Toolbox tools, Color color, int key);

// The ranks with this color, ordered by key, then by rank.
[[nodiscard]] std::vector<int> members_of_color(const std::vector<SplitEntry>& table, Color color);
[[nodiscard]] Ref<Group> group_of(const Group& parent, const std::vector<int>& ranks);

// The context that the entry of the one who draws names, once it is sure that nobody uses it. circle.draws says
// whether that is this process. A number of mine that is not it goes back.
[[nodiscard]] objects::ContextLease context_from_table(Toolbox tools, SplitChoice mine, const SplitEntry& drawing,
                                                       const Circle& circle);

}  // namespace antiphon::service
