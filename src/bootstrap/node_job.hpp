// A job as the segment of its node describes it. Keys and values are in the node's shared memory, on the board of
// each rank, and the ranks of a node wait for each other there; those of other nodes are not seen. Derived classes
// define how the job ends.
#pragma once

#include "bootstrap/job.hpp"
#include "bootstrap/node_segment.hpp"

namespace antiphon::bootstrap {

class NodeJob : public Job {
 public:
  [[nodiscard]] Place place_of(int rank) const override { return node_.place(static_cast<std::uint32_t>(rank)); }
  void put(std::string_view key, std::string_view value) override;
  void fence() override;
  void enter() override { my_slot().state.store(RankState::initialized, std::memory_order_release); }
  void leave() override { my_slot().state.store(RankState::finalized, std::memory_order_release); }
  void failed_to_leave() override { my_slot().state.store(RankState::finalize_failed, std::memory_order_release); }

 protected:
  // Whose rank's slot is filled. The segment outlives the job.
  NodeJob(NodeSegment& node, int rank);

  [[nodiscard]] NodeSegment& node() const { return node_; }

 private:
  [[nodiscard]] std::optional<std::string> look_up(int rank, std::string_view key) const override;
  [[nodiscard]] RankSlot& my_slot() const { return node_.slot(slot_of(rank())); }
  [[nodiscard]] std::uint32_t slot_of(int rank) const {
    return static_cast<std::uint32_t>(place_of(rank).rank_on_node);
  }

  NodeSegment& node_;
};

}  // namespace antiphon::bootstrap
