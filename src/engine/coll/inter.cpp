#include "engine/coll/inter.hpp"

#include "engine/coll/executor.hpp"

namespace antiphon::coll::inter {

namespace {

constexpr int kLeader = 0;

std::byte* bytes_of(void* buffer) { return static_cast<std::byte*>(buffer); }
const std::byte* bytes_of(const void* buffer) { return static_cast<const std::byte*>(buffer); }

std::size_t total(int blocks, std::size_t block_bytes) { return static_cast<std::size_t>(blocks) * block_bytes; }

}  // namespace

void barrier(Collectives& local, pt2pt::PointToPoint& pt2pt, objects::Comm& comm) {
  local.barrier(comm.local());
  if (comm.rank() == kLeader) {
    Executor run(pt2pt, comm);
    run.receive(nullptr, 0, kLeader);
    run.send(nullptr, 0, kLeader);
    run.fence();
  }
  local.bcast(nullptr, 0, kLeader, comm.local());
}

void bcast(Collectives& local, pt2pt::PointToPoint& pt2pt, void* buffer, std::size_t bytes, int root,
           objects::Comm& comm) {
  Executor run(pt2pt, comm);
  if (root == abi::ROOT)
    run.send(bytes_of(buffer), bytes, kLeader);
  else if (comm.rank() == kLeader)
    run.receive(bytes_of(buffer), bytes, root);
  run.fence();
  if (root != abi::ROOT) local.bcast(buffer, bytes, kLeader, comm.local());
}

void reduce(Collectives& local, pt2pt::PointToPoint& pt2pt, const void* contribution, void* result,
            const Vector& vector, int root, objects::Comm& comm) {
  Executor run(pt2pt, comm);
  if (root == abi::ROOT) {
    run.receive(bytes_of(result), vector.bytes(), kLeader);
  } else {
    std::byte* ours = comm.rank() == kLeader ? run.scratch(vector.bytes()) : nullptr;
    local.reduce(contribution, ours, vector, kLeader, comm.local());
    if (comm.rank() == kLeader) run.send(ours, vector.bytes(), root);
  }
  run.fence();
}

void allreduce(Collectives& local, pt2pt::PointToPoint& pt2pt, const void* contribution, void* result,
               const Vector& vector, objects::Comm& comm) {
  Executor run(pt2pt, comm);
  std::byte* ours = comm.rank() == kLeader ? run.scratch(vector.bytes()) : nullptr;
  local.reduce(contribution, ours, vector, kLeader, comm.local());
  if (comm.rank() == kLeader) {
    run.receive(bytes_of(result), vector.bytes(), kLeader);
    run.send(ours, vector.bytes(), kLeader);
    run.fence();
  }
  local.bcast(result, vector.bytes(), kLeader, comm.local());
}

void gather(pt2pt::PointToPoint& pt2pt, const void* mine, void* all, std::size_t bytes, int root,
            objects::Comm& comm) {
  Executor run(pt2pt, comm);
  if (root != abi::ROOT)
    run.send(bytes_of(mine), bytes, root);
  else
    for (int peer = 0; peer < comm.peers(); ++peer) run.receive(bytes_of(all) + total(peer, bytes), bytes, peer);
  run.fence();
}

void scatter(pt2pt::PointToPoint& pt2pt, const void* all, void* mine, std::size_t bytes, int root,
             objects::Comm& comm) {
  Executor run(pt2pt, comm);
  if (root != abi::ROOT)
    run.receive(bytes_of(mine), bytes, root);
  else
    for (int peer = 0; peer < comm.peers(); ++peer) run.send(bytes_of(all) + total(peer, bytes), bytes, peer);
  run.fence();
}

void allgather(Collectives& local, pt2pt::PointToPoint& pt2pt, const OutBlocks& mine, const InBlocks& all,
               objects::Comm& comm) {
  const std::size_t sent = total(comm.size(), mine.block_bytes), received = total(comm.peers(), all.block_bytes);
  Executor run(pt2pt, comm);
  std::byte* ours = comm.rank() == kLeader ? run.scratch(sent) : nullptr;
  local.gather(mine.data, ours, mine.block_bytes, kLeader, comm.local());
  if (comm.rank() == kLeader) {
    run.receive(bytes_of(all.data), received, kLeader);
    run.send(ours, sent, kLeader);
    run.fence();
  }
  local.bcast(all.data, received, kLeader, comm.local());
}

void alltoall(pt2pt::PointToPoint& pt2pt, const OutBlocks& out, const InBlocks& in, objects::Comm& comm) {
  Executor run(pt2pt, comm);
  for (int peer = 0; peer < comm.peers(); ++peer)
    run.receive(bytes_of(in.data) + total(peer, in.block_bytes), in.block_bytes, peer);
  for (int i = 0; i < comm.peers(); ++i) {
    const int peer = (comm.rank() + i) % comm.peers();  // so that no rank is everyone's first
    run.send(bytes_of(out.data) + total(peer, out.block_bytes), out.block_bytes, peer);
  }
  run.fence();
}

}  // namespace antiphon::coll::inter
