#include "engine/coll/collectives.hpp"

#include "engine/coll/executor.hpp"
#include "engine/coll/plans/allgather.hpp"
#include "engine/coll/plans/allgatherv.hpp"
#include "engine/coll/plans/allreduce.hpp"
#include "engine/coll/plans/alltoall.hpp"
#include "engine/coll/plans/barrier.hpp"
#include "engine/coll/plans/bcast.hpp"
#include "engine/coll/plans/gather.hpp"
#include "engine/coll/plans/reduce.hpp"
#include "engine/coll/plans/reduce_scatter.hpp"
#include "engine/coll/plans/scan.hpp"
#include "engine/coll/plans/scatter.hpp"

namespace antiphon::coll {

void Collectives::barrier(objects::Comm& comm) {
  Executor now(pt2pt_, progress_, comm);
  plan_barrier(now);
}

void Collectives::bcast(const Region& buffer, int root, objects::Comm& comm) {
  Executor now(pt2pt_, progress_, comm);
  plan_bcast(now, buffer, root);
}

void Collectives::reduce(const std::optional<Vector>& mine, const Vector& result, int root, objects::Comm& comm) {
  Executor now(pt2pt_, progress_, comm);
  plan_reduce(now, mine, result, root);
}

void Collectives::allreduce(const std::optional<Vector>& mine, const Vector& result, objects::Comm& comm) {
  Executor now(pt2pt_, progress_, comm);
  plan_allreduce(now, mine, result, settings_);
}

void Collectives::gather(const std::optional<Region>& mine, const Region& all, int root, objects::Comm& comm) {
  Executor now(pt2pt_, progress_, comm);
  plan_gather(now, mine, all, root);
}

void Collectives::scatter(const Region& all, const std::optional<Region>& mine, int root, objects::Comm& comm) {
  Executor now(pt2pt_, progress_, comm);
  plan_scatter(now, all, mine, root);
}

void Collectives::allgather(const std::optional<Region>& mine, const Region& all, objects::Comm& comm) {
  Executor now(pt2pt_, progress_, comm);
  plan_allgather(now, mine, all, settings_);
}

void Collectives::alltoall(const std::optional<Region>& out, const Region& in, objects::Comm& comm) {
  Executor now(pt2pt_, progress_, comm);
  plan_alltoall(now, out, in);
}

void Collectives::gather(const std::optional<Region>& mine, const BlockList& all, int root, objects::Comm& comm) {
  Executor now(pt2pt_, progress_, comm);
  plan_gather(now, mine, all, root);
}

void Collectives::scatter(const BlockList& all, const std::optional<Region>& mine, int root, objects::Comm& comm) {
  Executor now(pt2pt_, progress_, comm);
  plan_scatter(now, all, mine, root);
}

void Collectives::allgather(const std::optional<Region>& mine, const BlockList& all, objects::Comm& comm) {
  Executor now(pt2pt_, progress_, comm);
  plan_allgatherv(now, mine, all);
}

void Collectives::alltoall(const std::optional<BlockList>& out, const BlockList& in, objects::Comm& comm) {
  Executor now(pt2pt_, progress_, comm);
  plan_alltoall(now, out, in);
}

void Collectives::reduce_scatter(const Vector& all, const Shares& shares, const Vector& share, objects::Comm& comm) {
  Executor now(pt2pt_, progress_, comm);
  plan_reduce_scatter(now, all, shares, share);
}

void Collectives::scan(const std::optional<Vector>& mine, const Vector& result, objects::Comm& comm) {
  Executor now(pt2pt_, progress_, comm);
  plan_scan(now, mine, result);
}

void Collectives::exscan(const std::optional<Vector>& mine, const Vector& result, objects::Comm& comm) {
  Executor now(pt2pt_, progress_, comm);
  plan_exscan(now, mine, result);
}

void Collectives::reduce_local(const Vector& left, const Vector& right) {
  reduce_now(progress_, left, right, Reduction::Into::right);
}

}  // namespace antiphon::coll
