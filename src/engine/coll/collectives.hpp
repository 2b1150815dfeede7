// Blocking collectives on contiguous data: MPI 5.0, chapter 6. Picks an algorithm by size and runs it at once. Sizes
// are in bytes a block; `in place` data is where the result goes before the call. Belongs to the Process. On an
// intercommunicator `root` is a rank of the other group for those who send to it or receive from it, and abi::ROOT
// for itself; the rest of its group does not call.
#pragma once

#include "engine/coll/reduction.hpp"
#include "engine/pt2pt/pt2pt.hpp"

namespace antiphon::coll {

// What a reduction works on.
struct Vector {
  std::size_t elements;
  std::size_t element_bytes;
  ReduceKernel kernel;
  [[nodiscard]] std::size_t bytes() const { return elements * element_bytes; }
};

class Collectives {
 public:
  explicit Collectives(pt2pt::PointToPoint& pt2pt) : pt2pt_(pt2pt) {}

  void barrier(objects::Comm& comm);
  void bcast(void* buffer, std::size_t bytes, int root, objects::Comm& comm);
  // `contribution` may equal `result` (in place); only the root's `result` is written.
  void reduce(const void* contribution, void* result, const Vector& vector, int root, objects::Comm& comm);
  void allreduce(const void* contribution, void* result, const Vector& vector, objects::Comm& comm);
  // `mine` null: in place. Blocks are `bytes` long everywhere.
  void gather(const void* mine, void* all, std::size_t bytes, int root, objects::Comm& comm);
  void scatter(const void* all, void* mine, std::size_t bytes, int root, objects::Comm& comm);
  void allgather(const void* mine, void* all, std::size_t bytes, objects::Comm& comm);
  // `out` null: in place.
  void alltoall(const void* out, void* in, std::size_t bytes, objects::Comm& comm);
  // Between the groups of an intercommunicator, which may send blocks of different lengths. Nothing is in place.
  void allgather_across(const void* mine, std::size_t sent, void* all, std::size_t received, objects::Comm& comm);
  void alltoall_across(const void* out, std::size_t sent, void* in, std::size_t received, objects::Comm& comm);

 private:
  pt2pt::PointToPoint& pt2pt_;
};

}  // namespace antiphon::coll
