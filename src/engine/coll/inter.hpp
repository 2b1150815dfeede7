// Collectives of intercommunicators (MPI 5.0, 6.2.2 and 6.2.3). Those that all take part in go within each group and,
// between the groups, from leader to leader, who are the ranks 0; the others straight from or to the root. `root` is
// a rank of the other group, or abi::ROOT for the root itself; the rest of its group does not call.
#pragma once

#include "engine/coll/collectives.hpp"

namespace antiphon::coll::inter {

// Blocks to send, or room for those that come.
struct OutBlocks {
  const void* data;
  std::size_t block_bytes;
};
struct InBlocks {
  void* data;
  std::size_t block_bytes;
};

// Nobody leaves before everybody of the other group has come.
void barrier(Collectives& local, pt2pt::PointToPoint& pt2pt, objects::Comm& comm);
void bcast(Collectives& local, pt2pt::PointToPoint& pt2pt, void* buffer, std::size_t bytes, int root,
           objects::Comm& comm);
void reduce(Collectives& local, pt2pt::PointToPoint& pt2pt, const void* contribution, void* result,
            const Vector& vector, int root, objects::Comm& comm);
// Each group gets what the other contributes.
void allreduce(Collectives& local, pt2pt::PointToPoint& pt2pt, const void* contribution, void* result,
               const Vector& vector, objects::Comm& comm);
void gather(pt2pt::PointToPoint& pt2pt, const void* mine, void* all, std::size_t bytes, int root,
            objects::Comm& comm);
void scatter(pt2pt::PointToPoint& pt2pt, const void* all, void* mine, std::size_t bytes, int root,
             objects::Comm& comm);
void allgather(Collectives& local, pt2pt::PointToPoint& pt2pt, const OutBlocks& mine, const InBlocks& all,
               objects::Comm& comm);
void alltoall(pt2pt::PointToPoint& pt2pt, const OutBlocks& out, const InBlocks& in, objects::Comm& comm);

}  // namespace antiphon::coll::inter
