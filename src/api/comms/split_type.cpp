// MPI_Comm_split_type: MPI 5.0, 7.4.2.
#include <algorithm>

#include "api/check.hpp"
#include "api/comms/comm_hints.hpp"
#include "api/handles.hpp"
#include "platform/linux/hardware.hpp"
#include "service/comm_create.hpp"

namespace antiphon::api {

using objects::Comm;
using objects::Info;
using objects::Ref;
using platform::kHardwareTypes;
using platform::Whereabouts;
using service::Color;

namespace {

constexpr const char* kTypeKey = "mpi_hw_resource_type";
constexpr const char* kSetKey = "mpi_pset_name";
constexpr std::string_view kSharedMemory = "mpi_shared_memory";
constexpr std::string_view kPrefix = "hwloc://";
constexpr std::size_t kMachine = 0;  // of kHardwareTypes

// What everybody on this process's node has in common, and nobody else.
int my_node(Process& process) { return process.processes().node(process.rank()); }

// Parts of different nodes and types get different colors, should processes not ask for the same type.
Color color_of(Process& process, std::size_t type, std::optional<int> part) {
  if (!part) return abi::UNDEFINED;
  constexpr Color kTypes = std::size(kHardwareTypes) + 1, kParts = Color{1} << 32;
  return (my_node(process) * kTypes + static_cast<Color>(type) + 1) * kParts + *part;
}

// Where the calling thread runs: on the parts that the system tells of, and on its node.
Whereabouts whereabouts(Process& process) {
  Whereabouts here = platform::whereabouts();
  here[kMachine] = my_node(process);
  return here;
}

// The part of the hardware that the hint asks for and on which this process runs.
Color color_by_type(Process& process, const std::string& wanted) {
  if (wanted == kSharedMemory) return my_node(process);
  std::string_view name = wanted;
  if (!name.starts_with(kPrefix)) return abi::UNDEFINED;
  name.remove_prefix(kPrefix.size());
  const auto type = std::ranges::find(kHardwareTypes, name);
  if (type == std::end(kHardwareTypes)) return abi::UNDEFINED;
  const auto index = static_cast<std::size_t>(type - std::begin(kHardwareTypes));
  return color_of(process, index, whereabouts(process)[index]);
}

Color color_by_set(Process& process, const std::string& name) {
  const auto& sets = process.process_sets();
  const auto set = std::ranges::find_if(sets, [&](const auto& candidate) { return candidate.is_called(name); });
  if (set == sets.end() || set->group->rank_of(process.rank()) < 0) return abi::UNDEFINED;
  return set->group->world_rank(0);  // which tells it from other processes' sets of this name
}

// Where each of the processes runs, by type of hardware.
using Parts = std::array<int, std::size(kHardwareTypes)>;
constexpr int kOnSeveral = -1;
constexpr int kTakesNoPart = -2;

// The largest type of hardware of which the processes use more than one part; none if there is no such type.
std::optional<std::size_t> first_that_divides(const std::vector<Parts>& all) {
  for (std::size_t type = 0; type < std::size(kHardwareTypes); ++type) {
    std::vector<int> used;
    for (const Parts& parts : all)
      if (parts[type] != kTakesNoPart) used.push_back(parts[type]);
    const bool one_only = std::ranges::adjacent_find(used, std::ranges::not_equal_to{}) == used.end();
    if (!one_only) return type;
  }
  return {};
}

Color color_unguided(Process& process, Comm& comm, bool takes_part, Info* info) {
  const Whereabouts mine = takes_part ? whereabouts(process) : Whereabouts{};
  Parts parts{};
  std::ranges::transform(mine, parts.begin(), [&](std::optional<int> part) {
    return part.value_or(takes_part ? kOnSeveral : kTakesNoPart);
  });
  const auto ours = static_cast<std::size_t>(comm.size());
  std::vector<Parts> all(ours + (comm.is_inter() ? static_cast<std::size_t>(comm.peers()) : 0));
  process.coll().allgather(&parts, all.data(), sizeof parts, comm.local());
  if (comm.is_inter()) process.coll().allgather(&parts, all.data() + ours, sizeof parts, comm);
  const std::optional<std::size_t> type = first_that_divides(all);
  if (!type || !mine[*type]) return abi::UNDEFINED;
  if (info) info->set(kTypeKey, std::string(kPrefix) + kHardwareTypes[*type]);
  return color_of(process, *type, mine[*type]);
}

// In either group of an intercommunicator. Those who pass MPI_UNDEFINED cannot know that the others will exchange
// where they run.
bool anybody_unguided(Process& process, Comm& comm, int split_type) {
  std::int32_t asked = split_type == abi::COMM_TYPE_HW_UNGUIDED ? 1 : 0, anybody = 0;
  const auto largest = coll::Reduction::of(objects::Op::Kind::max, objects::Element::int32, sizeof asked);
  process.coll().allreduce(coll::Vector(&asked, 1, largest), {&anybody, 1, largest}, comm.local());
  std::int32_t anybody_there = 0;
  if (comm.is_inter()) process.coll().allreduce(coll::Vector(&asked, 1, largest), {&anybody_there, 1, largest}, comm);
  return (anybody | anybody_there) != 0;
}

Color color_guided(Process& process, const Info* info, bool by_set) {
  const std::string* type = info ? info->find(kTypeKey) : nullptr;
  const std::string* set = info && by_set ? info->find(kSetKey) : nullptr;
  if (type && set)
    base::fail(abi::ERR_INFO, fmt::format("info has both {} and {}: set only one of them", kTypeKey, kSetKey));
  if (set) return color_by_set(process, *set);
  return type ? color_by_type(process, *type) : abi::UNDEFINED;
}

Color color_for(Process& process, Comm& comm, int split_type, Info* info) {
  switch (split_type) {
    case abi::COMM_TYPE_SHARED:
      return my_node(process);
    case abi::COMM_TYPE_HW_GUIDED:
      return color_guided(process, info, false);
    case abi::COMM_TYPE_RESOURCE_GUIDED:
      return color_guided(process, info, true);
    case abi::COMM_TYPE_HW_UNGUIDED:
      return color_unguided(process, comm, true, info);
    default:
      return abi::UNDEFINED;
  }
}

void check_split_type(int split_type) {
  for (const int known : {abi::COMM_TYPE_SHARED, abi::COMM_TYPE_HW_GUIDED, abi::COMM_TYPE_HW_UNGUIDED,
                          abi::COMM_TYPE_RESOURCE_GUIDED, abi::UNDEFINED})
    if (split_type == known) return;
  base::fail(abi::ERR_ARG,
             fmt::format("split_type={} is not valid (valid: MPI_COMM_TYPE_SHARED, MPI_COMM_TYPE_HW_GUIDED, "
                         "MPI_COMM_TYPE_HW_UNGUIDED, MPI_COMM_TYPE_RESOURCE_GUIDED, MPI_UNDEFINED)",
                         split_type));
}

}  // namespace

void comm_split_type(Process& process, Comm& comm, int split_type, int key, Info* info, MPI_Comm* newcomm) {
  check::not_null(newcomm, "newcomm");
  *newcomm = MPI_COMM_NULL;
  check_split_type(split_type);
  const bool unguided = anybody_unguided(process, comm, split_type);
  const Color color = unguided && split_type == abi::UNDEFINED ? color_unguided(process, comm, false, nullptr)
                                                               : color_for(process, comm, split_type, info);
  const Ref<Comm> made = service::comm_split(process.toolbox(), comm, color, key);
  if (!made) return;
  take_hints(process, *made, info);
  *newcomm = comm_handle(process, made);
}

}  // namespace antiphon::api
