// An ordered set of processes of the job: MPI 5.0, 7.3. Immutable once made. The group of all processes in order is
// stored as its size alone.
#pragma once

#include <vector>

#include "objects/refcount.hpp"

namespace antiphon::objects {

class Group : public Refcounted {
 public:
  // All processes of a job, in order.
  explicit Group(int size) : size_(size) {}
  // world_ranks[i] is the job's rank of the group's rank i.
  explicit Group(std::vector<int> world_ranks)
      : size_(static_cast<int>(world_ranks.size())), world_ranks_(std::move(world_ranks)) {}

  [[nodiscard]] int size() const { return size_; }
  [[nodiscard]] int world_rank(int rank) const {
    return world_ranks_.empty() ? rank : world_ranks_[static_cast<std::size_t>(rank)];
  }

 private:
  int size_;
  std::vector<int> world_ranks_;
};

}  // namespace antiphon::objects
