#include "engine/coll/collectives.hpp"

#include "engine/coll/algorithms/allgather/bruck.hpp"
#include "engine/coll/algorithms/allgather/ring.hpp"
#include "engine/coll/algorithms/allreduce/recursive_doubling.hpp"
#include "engine/coll/algorithms/allreduce/ring.hpp"
#include "engine/coll/algorithms/alltoall/spread.hpp"
#include "engine/coll/algorithms/barrier/dissemination.hpp"
#include "engine/coll/algorithms/bcast/binomial.hpp"
#include "engine/coll/algorithms/gather/linear.hpp"
#include "engine/coll/algorithms/reduce/binomial.hpp"
#include "engine/coll/algorithms/scatter/linear.hpp"
#include "engine/coll/executor.hpp"
#include "engine/coll/inter.hpp"

namespace antiphon::coll {

namespace {

constexpr std::size_t kLongVector = std::size_t{64} << 10;  // bytes from which bandwidth matters more than rounds
constexpr std::size_t kLongBlock = std::size_t{4} << 10;

std::byte* bytes_of(void* buffer) { return static_cast<std::byte*>(buffer); }
const std::byte* bytes_of(const void* buffer) { return static_cast<const std::byte*>(buffer); }

}  // namespace

void Collectives::barrier(objects::Comm& comm) {
  if (comm.is_inter()) [[unlikely]]
    return inter::barrier(*this, pt2pt_, comm);
  Executor run(pt2pt_, comm);
  barrier::dissemination(run, run.view());
}

void Collectives::bcast(void* buffer, std::size_t bytes, int root, objects::Comm& comm) {
  if (comm.is_inter()) [[unlikely]]
    return inter::bcast(*this, pt2pt_, buffer, bytes, root, comm);
  Executor run(pt2pt_, comm);
  bcast::binomial(run, run.view(), bytes_of(buffer), bytes, root);
}

void Collectives::reduce(const void* contribution, void* result, const Vector& vector, int root,
                         objects::Comm& comm) {
  if (comm.is_inter()) [[unlikely]]
    return inter::reduce(*this, pt2pt_, contribution, result, vector, root, comm);
  Executor run(pt2pt_, comm, vector.kernel, vector.element_bytes);
  std::byte* partial = comm.rank() == root ? bytes_of(result) : run.scratch(vector.bytes());
  run.copy(bytes_of(contribution), partial, vector.bytes());
  reduce::binomial(run, run.view(), partial, vector.bytes(), root);
}

void Collectives::allreduce(const void* contribution, void* result, const Vector& vector, objects::Comm& comm) {
  if (comm.is_inter()) [[unlikely]]
    return inter::allreduce(*this, pt2pt_, contribution, result, vector, comm);
  Executor run(pt2pt_, comm, vector.kernel, vector.element_bytes);
  run.copy(bytes_of(contribution), bytes_of(result), vector.bytes());
  if (vector.bytes() < kLongVector || vector.elements < static_cast<std::size_t>(comm.size()))
    allreduce::recursive_doubling(run, run.view(), bytes_of(result), vector.bytes());
  else
    allreduce::ring(run, run.view(), bytes_of(result), vector.elements, vector.element_bytes);
}

void Collectives::gather(const void* mine, void* all, std::size_t bytes, int root, objects::Comm& comm) {
  if (comm.is_inter()) [[unlikely]]
    return inter::gather(pt2pt_, mine, all, bytes, root, comm);
  Executor run(pt2pt_, comm);
  if (comm.rank() == root && mine)
    run.copy(bytes_of(mine), bytes_of(all) + static_cast<std::size_t>(root) * bytes, bytes);
  gather::linear(run, run.view(), bytes_of(mine), bytes, bytes_of(all), root);
}

void Collectives::scatter(const void* all, void* mine, std::size_t bytes, int root, objects::Comm& comm) {
  if (comm.is_inter()) [[unlikely]]
    return inter::scatter(pt2pt_, all, mine, bytes, root, comm);
  Executor run(pt2pt_, comm);
  if (comm.rank() == root && mine)
    run.copy(bytes_of(all) + static_cast<std::size_t>(root) * bytes, bytes_of(mine), bytes);
  scatter::linear(run, run.view(), bytes_of(all), bytes_of(mine), bytes, root);
}

void Collectives::allgather(const void* mine, void* all, std::size_t bytes, objects::Comm& comm) {
  Executor run(pt2pt_, comm);
  if (mine) run.copy(bytes_of(mine), bytes_of(all) + static_cast<std::size_t>(comm.rank()) * bytes, bytes);
  if (bytes < kLongBlock)
    allgather::bruck(run, run.view(), bytes_of(all), bytes);
  else
    allgather::ring(run, run.view(), bytes_of(all), bytes);
}

void Collectives::alltoall(const void* out, void* in, std::size_t bytes, objects::Comm& comm) {
  Executor run(pt2pt_, comm);
  const std::byte* from = bytes_of(out);
  if (!from) {
    const std::size_t all = bytes * static_cast<std::size_t>(comm.size());
    std::byte* copy = run.scratch(all);
    run.copy(bytes_of(in), copy, all);
    from = copy;
  }
  alltoall::spread(run, run.view(), from, bytes_of(in), bytes);
}

void Collectives::allgather_across(const void* mine, std::size_t sent, void* all, std::size_t received,
                                   objects::Comm& comm) {
  inter::allgather(*this, pt2pt_, {mine, sent}, {all, received}, comm);
}

void Collectives::alltoall_across(const void* out, std::size_t sent, void* in, std::size_t received,
                                  objects::Comm& comm) {
  inter::alltoall(pt2pt_, {out, sent}, {in, received}, comm);
}

}  // namespace antiphon::coll
