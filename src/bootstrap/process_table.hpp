// The processes that this one knows, and where each of them runs. A process is a small number, which groups store
// and engines pass on. Processes of this process's job have their ranks in MPI_COMM_WORLD as numbers; a process
// that is spawned or connected later gets the next number. Owned by the Process, which adds to it while it holds
// the lane; any thread reads at any time, without a lock. An entry never changes.
#pragma once

#include <span>

#include "base/growing_table.hpp"
#include "bootstrap/job.hpp"
#include "bootstrap/place.hpp"

namespace antiphon::bootstrap {

class ProcessTable {
 public:
  // All processes of the job.
  explicit ProcessTable(const Job& job);
  // Process i is at places[i], and this process is `self`.
  ProcessTable(int self, std::span<const Place> places);

  // The number of a process that has come.
  int add(Place place);

  [[nodiscard]] int self() const noexcept { return self_; }
  [[nodiscard]] int size() const noexcept { return static_cast<int>(places_.size()); }

  // Of a process that is known, as all numbers below size() are.
  [[nodiscard]] Place place(int process) const noexcept { return places_[static_cast<std::size_t>(process)]; }
  [[nodiscard]] int node(int process) const noexcept { return place(process).node; }
  [[nodiscard]] int rank_on_node(int process) const noexcept { return place(process).rank_on_node; }

  // A neighbour is a process of this process's node, itself included.
  [[nodiscard]] bool is_neighbour(int process) const noexcept { return node(process) == node(self_); }
  [[nodiscard]] int neighbours() const noexcept { return static_cast<int>(neighbours_.size()); }
  [[nodiscard]] int neighbour(int rank_on_node) const noexcept {
    return neighbours_[static_cast<std::size_t>(rank_on_node)];
  }
  [[nodiscard]] bool all_are_neighbours() const noexcept { return neighbours() == size(); }

 private:
  const int self_;
  const std::int32_t my_node_;
  base::GrowingTable<Place> places_;
  base::GrowingTable<std::int32_t> neighbours_{};  // processes by rank on this node
};

}  // namespace antiphon::bootstrap
