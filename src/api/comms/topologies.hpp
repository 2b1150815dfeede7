// What the procedures of the three topologies share: MPI 5.0, chapter 8.
#pragma once

#include "api/call.hpp"
#include "api/check.hpp"

namespace antiphon::api {

namespace check {

[[noreturn, gnu::cold]] inline void lacks_topology(const objects::Comm& comm, const char* kind) {
  base::fail(abi::ERR_TOPOLOGY, fmt::format("comm is {}, which has no {} topology", comm.name(), kind));
}
inline const objects::Cart& cart(const objects::Comm& comm) {
  const objects::Cart* found = comm.topology() ? comm.topology()->cart() : nullptr;
  if (!found) lacks_topology(comm, "Cartesian");
  return *found;
}
inline const objects::Graph& graph(const objects::Comm& comm) {
  const objects::Graph* found = comm.topology() ? comm.topology()->graph() : nullptr;
  if (!found) lacks_topology(comm, "graph");
  return *found;
}
inline const objects::DistGraph& dist_graph(const objects::Comm& comm) {
  const objects::DistGraph* found = comm.topology() ? comm.topology()->dist_graph() : nullptr;
  if (!found) lacks_topology(comm, "distributed graph");
  return *found;
}

// An array of the caller's with `length` elements, of which `needed` will be used.
inline void array(const char* name, const void* address, const char* length_name, int length, std::size_t needed) {
  if (length < 0) cold::bad_count(length_name, length);
  if (static_cast<std::size_t>(length) < needed)
    base::fail(abi::ERR_ARG,
               fmt::format("{}={} is too small: {} would have {} elements", length_name, length, name, needed));
  array(name, address, needed);
}

}  // namespace check

}  // namespace antiphon::api
