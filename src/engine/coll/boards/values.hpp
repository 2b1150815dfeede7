// Copies of the data in the lines of several ranks, for one rank to combine.
#pragma once

#include <array>
#include <cstring>

#include "base/copy.hpp"
#include "engine/coll/boards/board_memory.hpp"
#include "engine/coll/boards/orders.hpp"

namespace antiphon::coll {

class Values {
 public:
  // Elements and reduction are those of `like`.
  explicit Values(const Vector& like) : like_(like) {}

  void take(int rank, const std::byte* brought) {
    if (like_.region().bytes <= BoardEntry::kBytes)
      std::memcpy(at(rank), brought, BoardEntry::kBytes);
    else
      std::memcpy(at(rank), brought, BoardLine::kBytes);
  }
  void take(int rank, const Vector& vector) { base::copy_bytes(at(rank), vector.first(), vector.region().bytes); }
  void take_all(const Lines& lines, int end) {
    for (int rank = 0; rank < end; ++rank) take(rank, lines.of(rank));
  }
  // Copies the value of `rank`, from element `first` on, to a vector.
  void give(int rank, const Vector& to, std::size_t first = 0) {
    const std::byte* const from = at(rank) + first * static_cast<std::size_t>(to.reduction().extent());
    base::copy_bytes(to.first(), from, to.region().bytes);
  }

  // In the orders of orders.hpp.
  void combine_all(int ranks) { coll::combine_all(ranks, Combine{*this}); }
  void combine_to(int root, int ranks) { coll::combine_to(root, ranks, Combine{*this}); }
  void combine_until(int last) { coll::combine_until(last, Combine{*this}); }

 private:
  struct alignas(base::kCacheLine) Value {
    std::byte bytes[base::kCacheLine];
  };
  [[nodiscard]] std::byte* at(int rank) { return values_[static_cast<std::size_t>(rank)].bytes; }
  struct Combine {
    Values& values;
    void operator()(int left, int right, Reduction::Into into) const {
      values.like_.reduction()(values.at(left), values.at(right), values.like_.elements(), into);
    }
  };

  const Vector& like_;
  std::array<Value, BoardMemory::kMostRanks> values_;  // only those that were taken are set
};

}  // namespace antiphon::coll
