// The collective operations that choose an algorithm; MPI_Exscan uses the algorithm of MPI_Scan.
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
  none  // of a rank that takes part without data, because its call has failed
};
inline constexpr int kOperations = 12;  // all but exscan and none

// Such as "allreduce", as in the name of its setting.
[[nodiscard]] constexpr std::string_view name_of(Operation operation) {
  constexpr std::string_view kNames[] = {"barrier",        "bcast",     "reduce",     "allreduce", "gather",
                                         "scatter",        "allgather", "allgatherv", "alltoall",  "alltoallv",
                                         "reduce_scatter", "scan",      "exscan",     "none"};
  return kNames[static_cast<std::size_t>(operation)];
}

}  // namespace antiphon::coll
