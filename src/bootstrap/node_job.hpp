// A job all of whose ranks are on one node. Keys and values are in the node's shared memory, on the board of each
// rank, and ranks wait for each other there. Derived classes define how the job ends.
#pragma once

#include "bootstrap/job.hpp"
#include "bootstrap/node_segment.hpp"

namespace antiphon::bootstrap {

class NodeJob : public Job {
 public:
  [[nodiscard]] Place place_of(int rank) const override { return {.node = 0, .rank_on_node = rank}; }
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
  [[nodiscard]] RankSlot& my_slot() const { return node_.slot(static_cast<std::uint32_t>(rank())); }

  NodeSegment& node_;
};

}  // namespace antiphon::bootstrap
