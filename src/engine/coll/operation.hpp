// The collective operations that have an algorithm to be chosen, and MPI_Exscan, which has that of MPI_Scan.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace antiphon::coll {

enum class Operation : std::uint8_t {
  barrier,
  bcast,
  reduce,
  allreduce,
  gather,
  scatter,
  allgather,
  allgatherv,
  alltoall,
  alltoallv,
  reduce_scatter,
  scan,
  exscan,
  none  // what a rank takes part in whose call has failed
};
inline constexpr int kOperations = 12;  // with an algorithm of their own

// "allreduce", as in the name of its setting.
[[nodiscard]] constexpr std::string_view name_of(Operation operation) {
  constexpr std::string_view kNames[] = {"barrier",        "bcast",     "reduce",     "allreduce", "gather",
                                         "scatter",        "allgather", "allgatherv", "alltoall",  "alltoallv",
                                         "reduce_scatter", "scan",      "exscan",     "none"};
  return kNames[static_cast<std::size_t>(operation)];
}

}  // namespace antiphon::coll
