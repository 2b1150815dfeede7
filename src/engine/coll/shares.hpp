// Which elements of a vector are whose, when its reduction is scattered: rank after rank. A value.
#pragma once

#include <utility>
#include <vector>

#include "engine/coll/reduction.hpp"

namespace antiphon::coll {

class Shares {
 public:
  // As many for everybody.
  explicit Shares(std::size_t each) : each_(each) {}
  // Where each rank's begin, and after the last where its end.
  explicit Shares(std::vector<std::size_t> starts) : starts_(std::move(starts)) {}

  [[nodiscard]] std::size_t start(int rank) const {
    const auto index = static_cast<std::size_t>(rank);
    return starts_.empty() ? each_ * index : starts_[index];
  }
  // Those of the ranks from `first` to before `last`.
  [[nodiscard]] Vector of(const Vector& whole, int first, int last) const {
    return whole.part(start(first), start(last));
  }

 private:
  std::size_t each_ = 0;
  std::vector<std::size_t> starts_;
};

// A vector's shares as blocks. The shares outlive it.
struct SharedOut {
  Vector whole;
  const Shares& shares;
  [[nodiscard]] Region block(int rank, int) const { return shares.of(whole, rank, rank + 1).region(); }
};

}  // namespace antiphon::coll
