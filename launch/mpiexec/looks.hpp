// Puts together what all nodes of the job see when they are asked to look at their ranks at the same time. A look is
// complete when every node that can still answer has done so. Owned by the Job.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "mpiexec/hang.hpp"
#include "node/events.hpp"

namespace antiphon::launch {

class Looks {
 public:
  // Asks these nodes for another look, and forgets the answers to the last one.
  [[nodiscard]] Look begin(const std::vector<int>& nodes, bool even_if_some_run);
  // True if this completes the look.
  bool add(int node, const Seen& seen);
  // The node will not answer. True if this completes the look.
  bool remove(int node);

  [[nodiscard]] bool is_under_way() const { return !awaited_.empty(); }
  // What was seen so far. Without ranks if one of them runs, unless `even_if_some_run` was asked for.
  [[nodiscard]] JobView view() const;

 private:
  bool complete_without(int node);

  std::uint32_t number_ = 0;
  bool even_if_some_run_ = false;
  bool some_run_ = false;
  std::set<int> awaited_;
  std::vector<RankView> ranks_;
};

}  // namespace antiphon::launch
