#include "engine/coll/collectives.hpp"

#include <algorithm>

#include "engine/coll/boards/on_board.hpp"
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
std::size_t members(const objects::Comm& comm) { return static_cast<std::size_t>(comm.size()); }

// Out of line, to keep the code of blocking collectives short.
template <class Planned>
[[gnu::noinline]] Plan recorded(objects::Comm& comm, const Choice& choice, Planned plan) {
  Recorder recorder(everybody(comm).view);
  plan(recorder, choice);
  return recorder.take();
}

// The packed bytes of an argument. They limit how much scratch memory a plan may need.
std::size_t bytes_of(const Region& region) { return region.bytes; }
std::size_t bytes_of(const Vector& vector) { return vector.region().bytes; }
std::size_t bytes_of(const BlockList& blocks) {
  std::size_t bytes = 0;
  for (int i = 0; i < blocks.number(); ++i) bytes += blocks[i].bytes;
  return bytes;
}
template <class What>
std::size_t bytes_of(const std::optional<What>& what) {
  return what ? bytes_of(*what) : 0;
}

// For shorter data, the reserve of memory is enough for all that a plan needs in its middle.
constexpr std::size_t kShort = std::size_t{16} << 10;

template <class Planned>
[[gnu::noinline]] void provide_scratch(Executor& executor, const Choice& choice, Planned plan) {
  ScratchCounter counter(executor.view());
  plan(counter, choice);
  executor.provide(counter.bytes());
}

}  // namespace

// `bytes`: the longest data that any process gives or gets.
template <class Planned>
[[gnu::always_inline]] inline void Collectives::carry_out(objects::Comm& comm, Deferred* later, std::size_t bytes,
                                                          Planned plan) {
  if (later) [[unlikely]] {
    later->plan = recorded(comm, choice(comm), plan);
    return;
  }
  Executor now(pt2pt_, progress_, comm);
  now.go_on_after_mismatches();
  if (bytes > kShort) [[unlikely]]
    provide_scratch(now, choice(comm), plan);
  plan(now, choice(comm));
  now.finish();
}

void Collectives::barrier(objects::Comm& comm, Deferred* later) {
  if (may_use_board(&settings::Values::barrier_algorithm, comm) && on_board::barrier(boards_, comm, later)) return;
  carry_out(comm, later, 0, [&](auto& sink, const Choice& choice) { plan_barrier(sink, choice); });
}

void Collectives::bcast(const Region& buffer, int root, objects::Comm& comm, Deferred* later) {
  if (!later && may_use_board(&settings::Values::bcast_algorithm, comm) &&
      on_board::bcast(boards_, buffer, root, comm))
    return;
  carry_out(comm, later, buffer.bytes,
            [&](auto& sink, const Choice& choice) { plan_bcast(sink, buffer, root, choice); });
}

void Collectives::reduce(const std::optional<Vector>& mine, const Vector& result, int root, objects::Comm& comm,
                         Deferred* later) {
  if (!later && may_use_board(&settings::Values::reduce_algorithm, comm) &&
      on_board::reduce(boards_, mine, result, root, comm))
    return;
  carry_out(comm, later, bytes_of(result), [&](auto& sink, const Choice& choice) {
    plan_reduce(sink, mine, result, root, like_boards(choice, Operation::reduce, result, comm, later));
  });
}

void Collectives::allreduce(const std::optional<Vector>& mine, const Vector& result, objects::Comm& comm,
                            Deferred* later) {
  if (may_use_board(&settings::Values::allreduce_algorithm, comm) &&
      on_board::allreduce(boards_, mine, result, comm, later))
    return;
  carry_out(comm, later, bytes_of(result), [&](auto& sink, const Choice& choice) {
    plan_allreduce(sink, mine, result, like_boards(choice, Operation::allreduce, result, comm, later));
  });
}

void Collectives::gather(const std::optional<Region>& mine, const Region& all, int root, objects::Comm& comm,
                         Deferred* later) {
  if (!later && may_use_board(&settings::Values::gather_algorithm, comm) &&
      on_board::gather(boards_, mine, all, root, comm))
    return;
  carry_out(comm, later, std::max(bytes_of(mine) * members(comm), all.bytes),
            [&](auto& sink, const Choice& choice) { plan_gather(sink, mine, all, root, choice); });
}

void Collectives::scatter(const Region& all, const std::optional<Region>& mine, int root, objects::Comm& comm,
                          Deferred* later) {
  if (!later && may_use_board(&settings::Values::scatter_algorithm, comm) &&
      on_board::scatter(boards_, all, mine, root, comm))
    return;
  carry_out(comm, later, std::max(bytes_of(mine) * members(comm), all.bytes),
            [&](auto& sink, const Choice& choice) { plan_scatter(sink, all, mine, root, choice); });
}

void Collectives::allgather(const std::optional<Region>& mine, const Region& all, objects::Comm& comm,
                            Deferred* later) {
  if (may_use_board(&settings::Values::allgather_algorithm, comm) &&
      on_board::allgather(boards_, mine, all, comm, later))
    return;
  carry_out(comm, later, all.bytes,
            [&](auto& sink, const Choice& choice) { plan_allgather(sink, mine, all, choice); });
}

void Collectives::alltoall(const std::optional<Region>& out, const Region& in, objects::Comm& comm, Deferred* later) {
  if (may_use_board(&settings::Values::alltoall_algorithm, comm) && on_board::alltoall(boards_, out, in, comm, later))
    return;
  carry_out(comm, later, in.bytes, [&](auto& sink, const Choice& choice) { plan_alltoall(sink, out, in, choice); });
}

void Collectives::gather(const std::optional<Region>& mine, const BlockList& all, int root, objects::Comm& comm,
                         Deferred* later) {
  carry_out(comm, later, std::max(bytes_of(mine) * members(comm), bytes_of(all)),
            [&](auto& sink, const Choice& choice) { plan_gather(sink, mine, all, root, choice); });
}

void Collectives::scatter(const BlockList& all, const std::optional<Region>& mine, int root, objects::Comm& comm,
                          Deferred* later) {
  carry_out(comm, later, std::max(bytes_of(mine) * members(comm), bytes_of(all)),
            [&](auto& sink, const Choice& choice) { plan_scatter(sink, all, mine, root, choice); });
}

void Collectives::allgather(const std::optional<Region>& mine, const BlockList& all, objects::Comm& comm,
                            Deferred* later) {
  carry_out(comm, later, bytes_of(all),
            [&](auto& sink, const Choice& choice) { plan_allgatherv(sink, mine, all, choice); });
}

void Collectives::alltoall(const std::optional<BlockList>& out, const BlockList& in, objects::Comm& comm,
                           Deferred* later) {
  carry_out(comm, later, std::max(bytes_of(out), bytes_of(in)),
            [&](auto& sink, const Choice& choice) { plan_alltoall(sink, out, in, choice); });
}

void Collectives::reduce_scatter(const Vector& all, const Shares& shares, const Vector& share, objects::Comm& comm,
                                 Deferred* later) {
  if (may_use_board(&settings::Values::reduce_scatter_algorithm, comm) &&
      on_board::reduce_scatter(boards_, all, shares, share, comm, later))
    return;
  carry_out(comm, later, bytes_of(all), [&](auto& sink, const Choice& choice) {
    plan_reduce_scatter(sink, all, shares, share, like_boards(choice, Operation::reduce_scatter, all, comm, later));
  });
}

void Collectives::scan(const std::optional<Vector>& mine, const Vector& result, objects::Comm& comm,
                       Deferred* later) {
  if (!later && may_use_board(&settings::Values::scan_algorithm, comm) && on_board::scan(boards_, mine, result, comm))
    return;
  carry_out(comm, later, bytes_of(result), [&](auto& sink, const Choice& choice) {
    plan_scan(sink, mine, result, like_boards(choice, Operation::scan, result, comm, later));
  });
}

void Collectives::exscan(const std::optional<Vector>& mine, const Vector& result, objects::Comm& comm,
                         Deferred* later) {
  if (!later && may_use_board(&settings::Values::scan_algorithm, comm) &&
      on_board::exscan(boards_, mine, result, comm))
    return;
  carry_out(comm, later, bytes_of(result), [&](auto& sink, const Choice& choice) {
    plan_exscan(sink, mine, result, like_boards(choice, Operation::exscan, result, comm, later));
  });
}

void Collectives::neighbor_allgather(const Region& mine, const Region& all, objects::Comm& comm, Deferred* later) {
  carry_out(comm, later, mine.bytes,
            [&](auto& sink, const Choice&) { plan_neighbor_exchange(sink, around(comm), OneForAll{mine}, all); });
}

void Collectives::neighbor_allgather(const Region& mine, const BlockList& all, objects::Comm& comm, Deferred* later) {
  carry_out(comm, later, mine.bytes,
            [&](auto& sink, const Choice&) { plan_neighbor_exchange(sink, around(comm), OneForAll{mine}, all); });
}

void Collectives::neighbor_alltoall(const Region& out, const Region& in, objects::Comm& comm, Deferred* later) {
  carry_out(comm, later, out.bytes,
            [&](auto& sink, const Choice&) { plan_neighbor_exchange(sink, around(comm), out, in); });
}

void Collectives::neighbor_alltoall(const BlockList& out, const BlockList& in, objects::Comm& comm, Deferred* later) {
  carry_out(comm, later, bytes_of(out),
            [&](auto& sink, const Choice&) { plan_neighbor_exchange(sink, around(comm), out, in); });
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
