// Blocking collectives: MPI 5.0, chapter 6. Each carries out its plan at once; the plans (plans/) say what the
// arguments mean. Belongs to the Process.
#pragma once

#include <optional>

#include "engine/coll/shares.hpp"
#include "engine/pt2pt/messages.hpp"
#include "settings/values.hpp"

namespace antiphon::coll {

class Collectives {
 public:
  Collectives(pt2pt::Messages& pt2pt, progress::Progress& progress, const settings::Values& settings)
      : pt2pt_(pt2pt), progress_(progress), settings_(settings) {}

  void barrier(objects::Comm& comm);
  void bcast(const Region& buffer, int root, objects::Comm& comm);
  void reduce(const std::optional<Vector>& mine, const Vector& result, int root, objects::Comm& comm);
  void allreduce(const std::optional<Vector>& mine, const Vector& result, objects::Comm& comm);
  void gather(const std::optional<Region>& mine, const Region& all, int root, objects::Comm& comm);
  void scatter(const Region& all, const std::optional<Region>& mine, int root, objects::Comm& comm);
  void allgather(const std::optional<Region>& mine, const Region& all, objects::Comm& comm);
  void alltoall(const std::optional<Region>& out, const Region& in, objects::Comm& comm);
  // Between other than equal blocks.
  void gather(const std::optional<Region>& mine, const BlockList& all, int root, objects::Comm& comm);
  void scatter(const BlockList& all, const std::optional<Region>& mine, int root, objects::Comm& comm);
  void allgather(const std::optional<Region>& mine, const BlockList& all, objects::Comm& comm);
  void alltoall(const std::optional<BlockList>& out, const BlockList& in, objects::Comm& comm);
  void reduce_scatter(const Vector& all, const Shares& shares, const Vector& share, objects::Comm& comm);
  void scan(const std::optional<Vector>& mine, const Vector& result, objects::Comm& comm);
  void exscan(const std::optional<Vector>& mine, const Vector& result, objects::Comm& comm);

  // What needs nobody else. The result goes to `right`.
  void reduce_local(const Vector& left, const Vector& right);

  // For the library's own data: blocks of so many bytes, nothing in place.
  void bcast(void* buffer, std::size_t bytes, int root, objects::Comm& comm) { bcast({buffer, bytes}, root, comm); }
  void allgather(const void* mine, void* all, std::size_t bytes, objects::Comm& comm) {
    allgather(Region{mine, bytes}, blocks(all, bytes, comm), comm);
  }
  void alltoall(const void* out, void* in, std::size_t bytes, objects::Comm& comm) {
    alltoall(blocks(out, bytes, comm), blocks(in, bytes, comm), comm);
  }

 private:
  static Region blocks(const void* start, std::size_t bytes, const objects::Comm& comm) {
    return {start, bytes * static_cast<std::size_t>(comm.peers())};
  }

  pt2pt::Messages& pt2pt_;
  progress::Progress& progress_;
  const settings::Values& settings_;
};

}  // namespace antiphon::coll
