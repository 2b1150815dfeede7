#include "engine/coll/collectives.hpp"

#include "engine/coll/executor.hpp"
#include "engine/coll/plans/allgather.hpp"
#include "engine/coll/plans/allgatherv.hpp"
#include "engine/coll/plans/allreduce.hpp"
#include "engine/coll/plans/alltoall.hpp"
#include "engine/coll/plans/barrier.hpp"
#include "engine/coll/plans/bcast.hpp"
#include "engine/coll/plans/gather.hpp"
#include "engine/coll/plans/neighbors.hpp"
#include "engine/coll/plans/reduce.hpp"
#include "engine/coll/plans/reduce_scatter.hpp"
#include "engine/coll/plans/scan.hpp"
#include "engine/coll/plans/scatter.hpp"

namespace antiphon::coll {

namespace {
const objects::Neighborhood& around(const objects::Comm& comm) { return comm.topology()->around(comm.rank()); }
// Away from what is carried out at once, which shall be short.
template <class Planned>
[[gnu::noinline]] Plan recorded(objects::Comm& comm, Planned plan) {
  Recorder recorder(everybody(comm).view);
  plan(recorder);
  return recorder.take();
}
}  // namespace

template <class Planned>
[[gnu::always_inline]] inline void Collectives::carry_out(objects::Comm& comm, Plan* later, Planned plan) {
  if (later) [[unlikely]] {
    *later = recorded(comm, plan);
    return;
  }
  Executor now(pt2pt_, progress_, comm);
  now.go_on_after_mismatches();
  plan(now);
  now.finish();
}

void Collectives::barrier(objects::Comm& comm, Plan* later) {
  carry_out(comm, later, [&](auto& sink) { plan_barrier(sink, choice(comm)); });
}

void Collectives::bcast(const Region& buffer, int root, objects::Comm& comm, Plan* later) {
  carry_out(comm, later, [&](auto& sink) { plan_bcast(sink, buffer, root, choice(comm)); });
}

void Collectives::reduce(const std::optional<Vector>& mine, const Vector& result, int root, objects::Comm& comm,
                         Plan* later) {
  carry_out(comm, later, [&](auto& sink) { plan_reduce(sink, mine, result, root, choice(comm)); });
}

void Collectives::allreduce(const std::optional<Vector>& mine, const Vector& result, objects::Comm& comm,
                            Plan* later) {
  carry_out(comm, later, [&](auto& sink) { plan_allreduce(sink, mine, result, choice(comm)); });
}

void Collectives::gather(const std::optional<Region>& mine, const Region& all, int root, objects::Comm& comm,
                         Plan* later) {
  carry_out(comm, later, [&](auto& sink) { plan_gather(sink, mine, all, root, choice(comm)); });
}

void Collectives::scatter(const Region& all, const std::optional<Region>& mine, int root, objects::Comm& comm,
                          Plan* later) {
  carry_out(comm, later, [&](auto& sink) { plan_scatter(sink, all, mine, root, choice(comm)); });
}

void Collectives::allgather(const std::optional<Region>& mine, const Region& all, objects::Comm& comm, Plan* later) {
  carry_out(comm, later, [&](auto& sink) { plan_allgather(sink, mine, all, choice(comm)); });
}

void Collectives::alltoall(const std::optional<Region>& out, const Region& in, objects::Comm& comm, Plan* later) {
  carry_out(comm, later, [&](auto& sink) { plan_alltoall(sink, out, in, choice(comm)); });
}

void Collectives::gather(const std::optional<Region>& mine, const BlockList& all, int root, objects::Comm& comm,
                         Plan* later) {
  carry_out(comm, later, [&](auto& sink) { plan_gather(sink, mine, all, root, choice(comm)); });
}

void Collectives::scatter(const BlockList& all, const std::optional<Region>& mine, int root, objects::Comm& comm,
                          Plan* later) {
  carry_out(comm, later, [&](auto& sink) { plan_scatter(sink, all, mine, root, choice(comm)); });
}

void Collectives::allgather(const std::optional<Region>& mine, const BlockList& all, objects::Comm& comm,
                            Plan* later) {
  carry_out(comm, later, [&](auto& sink) { plan_allgatherv(sink, mine, all, choice(comm)); });
}

void Collectives::alltoall(const std::optional<BlockList>& out, const BlockList& in, objects::Comm& comm,
                           Plan* later) {
  carry_out(comm, later, [&](auto& sink) { plan_alltoall(sink, out, in, choice(comm)); });
}

void Collectives::reduce_scatter(const Vector& all, const Shares& shares, const Vector& share, objects::Comm& comm,
                                 Plan* later) {
  carry_out(comm, later, [&](auto& sink) { plan_reduce_scatter(sink, all, shares, share, choice(comm)); });
}

void Collectives::scan(const std::optional<Vector>& mine, const Vector& result, objects::Comm& comm, Plan* later) {
  carry_out(comm, later, [&](auto& sink) { plan_scan(sink, mine, result, choice(comm)); });
}

void Collectives::exscan(const std::optional<Vector>& mine, const Vector& result, objects::Comm& comm, Plan* later) {
  carry_out(comm, later, [&](auto& sink) { plan_exscan(sink, mine, result, choice(comm)); });
}

void Collectives::neighbor_allgather(const Region& mine, const Region& all, objects::Comm& comm, Plan* later) {
  carry_out(comm, later, [&](auto& sink) { plan_neighbor_exchange(sink, around(comm), OneForAll{mine}, all); });
}

void Collectives::neighbor_allgather(const Region& mine, const BlockList& all, objects::Comm& comm, Plan* later) {
  carry_out(comm, later, [&](auto& sink) { plan_neighbor_exchange(sink, around(comm), OneForAll{mine}, all); });
}

void Collectives::neighbor_alltoall(const Region& out, const Region& in, objects::Comm& comm, Plan* later) {
  carry_out(comm, later, [&](auto& sink) { plan_neighbor_exchange(sink, around(comm), out, in); });
}

void Collectives::neighbor_alltoall(const BlockList& out, const BlockList& in, objects::Comm& comm, Plan* later) {
  carry_out(comm, later, [&](auto& sink) { plan_neighbor_exchange(sink, around(comm), out, in); });
}

const objects::Nodes* Collectives::nodes(objects::Comm& comm) const {
  if (!comm.nodes()) {
    std::vector<int> node_of;
    for (int rank = 0; rank < comm.size(); ++rank)
      node_of.push_back(placement_.node_of(comm.group().world_rank(rank)));
    comm.set_nodes(objects::Nodes(node_of));
  }
  return comm.nodes()->number() == 1 ? nullptr : comm.nodes();
}

void Collectives::reduce_local(const Vector& left, const Vector& right) {
  reduce_now(progress_, left, right, Reduction::Into::right);
}

}  // namespace antiphon::coll
