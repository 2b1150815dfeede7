// Groups: MPI 5.0, 7.3.
#include "api/call.hpp"
#include "api/check.hpp"
#include "api/handles.hpp"
#include "objects/group_operations.hpp"

namespace antiphon::api {

using objects::Group;
using objects::RankRange;

namespace {

std::string valid_ranks(const Group& group) {
  if (group.size() == 0) return "the group is empty, no rank is";
  return fmt::format("the group has {} (0 to {})", group.size(), group.size() - 1);
}

void check_length(int n, const void* array, const char* array_name) {
  if (n < 0) check::cold::bad_count("n", n);
  if (n > 0 && !is_address(array))
    base::fail(abi::ERR_ARG,
               fmt::format("{} is {}, but n={}: pass the address of that many", array_name, check::shown(array), n));
}

// Which ranks of a group a call has named; each may be named once.
class Marks {
 public:
  explicit Marks(const Group& group) : group_(group), marked_(static_cast<std::size_t>(group.size())) {}

  void add(int rank, const char* argument, int index) {
    if (rank < 0 || rank >= group_.size())
      base::fail(abi::ERR_RANK,
                 fmt::format("{}[{}]: rank {} is not valid: {}", argument, index, rank, valid_ranks(group_)));
    if (marked_[static_cast<std::size_t>(rank)])
      base::fail(abi::ERR_RANK,
                 fmt::format("{}[{}]: rank {} was named before: each may be named once", argument, index, rank));
    marked_[static_cast<std::size_t>(rank)] = true;
  }
  [[nodiscard]] const std::vector<bool>& get() const { return marked_; }

 private:
  const Group& group_;
  std::vector<bool> marked_;
};

Marks marks_of(const Group& group, int n, const int ranks[]) {
  check_length(n, ranks, "ranks");
  Marks marks(group);
  for (int i = 0; i < n; ++i) marks.add(ranks[i], "ranks", i);
  return marks;
}

RankRange checked_range(const Group& group, const int (&range)[3], int index) {
  const int first = range[0], last = range[1], stride = range[2];
  const auto bad = [&](int error_class, const std::string& why) {
    base::fail(error_class, fmt::format("ranges[{}]=({}, {}, {}): {}", index, first, last, stride, why));
  };
  if (stride == 0) bad(abi::ERR_ARG, "the stride is 0 (valid: any other number)");
  for (const int rank : {first, last})
    if (rank < 0 || rank >= group.size()) bad(abi::ERR_RANK, fmt::format("rank {}: {}", rank, valid_ranks(group)));
  if ((stride > 0) != (last > first) && last != first) bad(abi::ERR_ARG, "the stride goes away from the last rank");
  const int count = (last - first) / stride + 1;
  return {.first = first, .count = count, .stride = count == 1 ? 1 : stride};
}

std::vector<RankRange> checked_ranges(const Group& group, int n, const int ranges[][3], Marks* marks) {
  check_length(n, ranges, "ranges");
  std::vector<RankRange> checked;
  for (int i = 0; i < n; ++i) {
    const RankRange range = checked.emplace_back(checked_range(group, ranges[i], i));
    for (int k = 0; k < range.count; ++k) marks->add(range.at(k), "ranges", i);
  }
  return checked;
}

}  // namespace

void group_size(Process&, Group& group, int* size) {
  check::not_null(size, "size");
  *size = group.size();
}

void group_rank(Process& process, Group& group, int* rank) {
  check::not_null(rank, "rank");
  const int mine = group.rank_of(process.rank());
  *rank = mine < 0 ? abi::UNDEFINED : mine;
}

void group_translate_ranks(Process&, Group& group1, int n, const int ranks1[], Group& group2, int ranks2[]) {
  check::one_session("group1", group1, "group2", group2);
  check_length(n, ranks1, "ranks1");
  check_length(n, ranks2, "ranks2");
  for (int i = 0; i < n; ++i)
    if (ranks1[i] != abi::PROC_NULL && (ranks1[i] < 0 || ranks1[i] >= group1.size()))
      base::fail(abi::ERR_RANK,
                 fmt::format("ranks1[{}]={} is not valid: {}, and MPI_PROC_NULL", i, ranks1[i], valid_ranks(group1)));
  const auto length = static_cast<std::size_t>(n);
  objects::group_translate(group1, {ranks1, length}, group2, {ranks2, length});
}

void group_compare(Process&, Group& group1, Group& group2, int* result) {
  check::one_session("group1", group1, "group2", group2);
  check::not_null(result, "result");
  switch (objects::group_compare(group1, group2)) {
    case objects::Likeness::identical:
      *result = abi::IDENT;
      break;
    case objects::Likeness::similar:
      *result = abi::SIMILAR;
      break;
    case objects::Likeness::unequal:
      *result = abi::UNEQUAL;
      break;
  }
}

void group_union(Process& process, Group& group1, Group& group2, MPI_Group* newgroup) {
  check::one_session("group1", group1, "group2", group2);
  check::not_null(newgroup, "newgroup");
  *newgroup = group_handle(process, objects::group_union(group1, group2));
}

void group_intersection(Process& process, Group& group1, Group& group2, MPI_Group* newgroup) {
  check::one_session("group1", group1, "group2", group2);
  check::not_null(newgroup, "newgroup");
  *newgroup = group_handle(process, objects::group_intersection(group1, group2));
}

void group_difference(Process& process, Group& group1, Group& group2, MPI_Group* newgroup) {
  check::one_session("group1", group1, "group2", group2);
  check::not_null(newgroup, "newgroup");
  *newgroup = group_handle(process, objects::group_difference(group1, group2));
}

void group_incl(Process& process, Group& group, int n, const int ranks[], MPI_Group* newgroup) {
  check::not_null(newgroup, "newgroup");
  (void)marks_of(group, n, ranks);
  *newgroup = group_handle(process, objects::group_include(group, std::span(ranks, static_cast<std::size_t>(n))));
}

void group_excl(Process& process, Group& group, int n, const int ranks[], MPI_Group* newgroup) {
  check::not_null(newgroup, "newgroup");
  *newgroup = group_handle(process, objects::group_exclude(group, marks_of(group, n, ranks).get()));
}

void group_range_incl(Process& process, Group& group, int n, int ranges[][3], MPI_Group* newgroup) {
  check::not_null(newgroup, "newgroup");
  Marks marks(group);
  *newgroup = group_handle(process, objects::group_include(group, checked_ranges(group, n, ranges, &marks)));
}

void group_range_excl(Process& process, Group& group, int n, int ranges[][3], MPI_Group* newgroup) {
  check::not_null(newgroup, "newgroup");
  Marks marks(group);
  (void)checked_ranges(group, n, ranges, &marks);
  *newgroup = group_handle(process, objects::group_exclude(group, marks.get()));
}

// A program frees what a constructor gave it, and that may have been MPI_GROUP_EMPTY.
void group_free(Process& process, MPI_Group* group) {
  check::not_null(group, "group");
  const auto value = reinterpret_cast<std::uintptr_t>(*group);
  if (value == abi::GROUP_NULL) base::fail(abi::ERR_GROUP, "group is MPI_GROUP_NULL; a group is needed here");
  if (!process.groups.find(value))
    base::fail(abi::ERR_GROUP, fmt::format("group={:#x} is not a group, or it was freed before", value));
  if (value >= objects::kPredefinedHandles) (void)process.groups.erase(value);
  *group = MPI_GROUP_NULL;
}

}  // namespace antiphon::api
