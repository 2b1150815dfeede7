// Whether an event can come from a node: whether the ranks that it names run there, and whether lists are as long as
// the node has ranks. So what mpiexec does with an event needs no further checks.
#pragma once

#include <string>
#include <vector>

#include "node/events.hpp"

namespace antiphon::launch {

class EventCheck {
 public:
  EventCheck() = default;
  explicit EventCheck(const JobDescription& job);

  [[nodiscard]] bool has_node(int node) const {
    return node >= 0 && static_cast<std::size_t>(node) < ranks_on_.size();
  }
  [[nodiscard]] const std::string& name(int node) const { return names_[static_cast<std::size_t>(node)]; }
  // Throws Malformed if it is not plausible.
  void check(int node, const NodeEvent& event) const;

 private:
  [[nodiscard]] bool runs_on(int node, int rank) const;

  std::vector<std::string> names_;
  std::vector<bootstrap::Place> places_;
  std::vector<std::size_t> ranks_on_;  // how many
  std::size_t streams_ = 0;
};

}  // namespace antiphon::launch
