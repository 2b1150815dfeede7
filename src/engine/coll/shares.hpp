// Which elements of a reduced vector each rank gets, in the order of ranks, when the result is scattered. A value.
#pragma once

#include <utility>
#include <vector>

#include "engine/coll/reduction.hpp"

namespace antiphon::coll {

class Shares {
 public:
  // The same number for each rank.
  explicit Shares(std::size_t each) : each_(each) {}
  // Where the share of each rank begins, and, at last, where that of the last rank ends.
  explicit Shares(std::vector<std::size_t> starts) : starts_(std::move(starts)) {}

  [[nodiscard]] std::size_t start(int rank) const {
    const auto index = static_cast<std::size_t>(rank);
    return starts_.empty() ? each_ * index : starts_[index];
  }
  // The shares of the ranks from `first` to before `last`.
  [[nodiscard]] Vector of(const Vector& whole, int first, int last) const {
    return whole.part(start(first), start(last));
  }

 private:
  std::size_t each_ = 0;
  std::vector<std::size_t> starts_;
};

// The shares of a vector, as blocks. The shares must outlive it.
struct SharedOut {
  Vector whole;
  const Shares& shares;
  [[nodiscard]] Region block(int rank, int) const { return shares.of(whole, rank, rank + 1).region(); }
};

}  // namespace antiphon::coll
