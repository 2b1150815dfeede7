#include "service/dist_graph.hpp"

#include "base/error.hpp"

namespace antiphon::service {

namespace {

// Every process tells every other how much it has for it; only those who have anything then talk.
std::vector<std::vector<Edge>> exchange(Toolbox tools, Comm& comm, const std::vector<std::vector<Edge>>& out) {
  const auto size = static_cast<std::size_t>(comm.size());
  std::vector<std::uint64_t> leaving(size), coming(size);
  for (std::size_t peer = 0; peer < size; ++peer) leaving[peer] = out[peer].size();
  tools.coll.alltoall(leaving.data(), coming.data(), sizeof leaving[0], comm);

  std::vector<std::vector<Edge>> in(size);
  coll::Executor run(tools.pt2pt, tools.progress, comm);
  const auto bytes = [](auto& edges) { return edges.size() * sizeof(Edge); };
  for (std::size_t peer = 0; peer < size; ++peer) {
    in[peer].resize(coming[peer]);
    if (bytes(in[peer])) run.receive({in[peer].data(), bytes(in[peer])}, static_cast<int>(peer));
  }
  for (std::size_t peer = 0; peer < size; ++peer)
    if (bytes(out[peer])) run.send({out[peer].data(), bytes(out[peer])}, static_cast<int>(peer));
  run.fence();
  return in;
}

}  // namespace

objects::DistGraph distribute_edges(Toolbox tools, Comm& comm, std::span<const Edge> named, bool weighted) {
  std::vector<std::vector<Edge>> out(static_cast<std::size_t>(comm.size()));
  for (const Edge& edge : named) {
    out[static_cast<std::size_t>(edge.source)].push_back(edge);
    if (edge.destination != edge.source) out[static_cast<std::size_t>(edge.destination)].push_back(edge);
  }
  objects::DistGraph mine;
  mine.weighted = weighted;
  for (const std::vector<Edge>& edges : exchange(tools, comm, out))
    for (const Edge& edge : edges) {
      if (edge.destination == comm.rank()) {
        mine.sources.push_back(edge.source);
        if (weighted) mine.source_weights.push_back(edge.weight);
      }
      if (edge.source == comm.rank()) {
        mine.destinations.push_back(edge.destination);
        if (weighted) mine.destination_weights.push_back(edge.weight);
      }
    }
  return mine;
}

}  // namespace antiphon::service
