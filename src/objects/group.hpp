// An ordered set of processes of the job: MPI 5.0, 7.3. Immutable once made, so many communicators share one.
// Stored as runs (start, count, stride), in which a million ranks that were chosen by ranges take a few bytes; where
// runs would take more room than the ranks themselves, as a table of these. Guarded by the lane's lock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "objects/refcount.hpp"

namespace antiphon::objects {

class Group : public Refcounted {
 public:
  // `count` processes, each `stride` after the last, from the job's rank `start` on.
  struct Run {
    int start;
    int count;
    int stride;
    int first_rank = 0;  // in the group, of the process `start`

    [[nodiscard]] int at(int index) const { return start + index * stride; }
    // Where `world_rank` stands in the run, or -1.
    [[nodiscard]] int index_of(int world_rank) const;
  };

  // All processes of a job, in order.
  explicit Group(int size) : Group(std::vector<Run>{{.start = 0, .count = size, .stride = 1}}) {}
  // world_ranks[i] is the job's rank of the group's rank i.
  explicit Group(const std::vector<int>& world_ranks);
  // The runs one after the other. No process may be in two.
  explicit Group(std::vector<Run> runs);

  [[nodiscard]] int size() const { return size_; }
  // The job's rank of the group's rank `rank`, which is 0 .. size() - 1.
  [[nodiscard]] int world_rank(int rank) const {
    if (runs_.size() == 1) [[likely]]
      return runs_.front().at(rank);
    return table_.empty() ? find_in_runs(rank) : table_[static_cast<std::size_t>(rank)];
  }
  // -1 for a process that is not in the group. Takes as long as there are runs; RankIndex is for many questions.
  [[nodiscard]] int rank_of(int world_rank) const;

  // The handle of the session that it comes from, directly or through other groups; 0 in the world model.
  [[nodiscard]] std::uintptr_t session() const { return session_; }
  // Before anybody else knows the group.
  void set_session(std::uintptr_t session) { session_ = session; }

  // Empty where the group is kept as a table.
  [[nodiscard]] std::span<const Run> runs() const { return runs_; }
  [[nodiscard]] std::size_t memory_bytes() const {
    return sizeof *this + runs_.capacity() * sizeof(Run) + table_.capacity() * sizeof(int);
  }

 private:
  [[nodiscard]] int find_in_runs(int rank) const;

  int size_ = 0;
  std::uintptr_t session_ = 0;
  std::vector<Run> runs_;   // exactly one of the two is filled, none in the empty group
  std::vector<int> table_;  // the job's ranks
};

// Collects processes one by one or by runs and finds the runs that they form.
class GroupBuilder {
 public:
  void add(int world_rank) { add_run(world_rank, 1, 1); }
  void add_run(int start, int count, int stride);
  void add_all(const Group& group);
  [[nodiscard]] std::vector<Group::Run> take() { return std::move(runs_); }
  [[nodiscard]] Ref<Group> build() { return Ref<Group>::adopt(new Group(take())); }
  // A group made from `parent`, of whose session it is.
  [[nodiscard]] Ref<Group> build_from(const Group& parent) {
    Ref<Group> group = build();
    group->set_session(parent.session());
    return group;
  }

 private:
  std::vector<Group::Run> runs_;
};

}  // namespace antiphon::objects
