// Blocks of any length, one for each rank, one after the other: what gatherv returns, and what scatterv and alltoallv
// take.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "error.hpp"

namespace antiphon {

template <class T>
class ragged;

namespace detail {

template <class T>
inline constexpr bool is_ragged = false;
template <class T>
inline constexpr bool is_ragged<ragged<T>> = true;

}  // namespace detail

// The blocks of a ragged that MPI knows: their elements may change, their number and place may not.
template <class T>
class fixed_blocks {
 public:
  explicit fixed_blocks(ragged<T>& all) : all_(&all) {}

  [[nodiscard]] std::span<T> operator[](int rank) const { return (*all_)[rank]; }
  [[nodiscard]] int size() const noexcept { return all_->size(); }  // ranks
  [[nodiscard]] std::span<T> values() const noexcept { return all_->values(); }
  [[nodiscard]] std::span<const MPI_Count> counts() const noexcept { return all_->counts(); }

 private:
  ragged<T>* all_;
};

template <class T>
class ragged {
 public:
  ragged() = default;

  // Room for counts[r] elements for each rank r.
  explicit ragged(std::vector<MPI_Count> counts) : counts_(std::move(counts)) { values_.resize(place_blocks()); }

  // These values: the first counts[0] of them for rank 0, and so on.
  ragged(std::vector<T> values, std::vector<MPI_Count> counts)
      : values_(std::move(values)), counts_(std::move(counts)) {
    if (const std::size_t all = place_blocks(); all != values_.size())
      throw error(MPI_ERR_COUNT, "blocks of " + std::to_string(all) + " elements in all, and " +
                                     std::to_string(values_.size()) + " values for them");
  }

  // One block from each range of a range of them.
  template <class Ranges>
  static ragged of(const Ranges& blocks) {
    std::vector<MPI_Count> counts;
    for (const auto& block : blocks) counts.push_back(static_cast<MPI_Count>(std::size(block)));
    ragged result(std::move(counts));
    auto next = result.values_.begin();
    for (const auto& block : blocks) next = std::copy(std::begin(block), std::end(block), next);
    return result;
  }

  // What belongs to rank r.
  [[nodiscard]] std::span<T> operator[](int rank) { return {values_.data() + offset(rank), count(rank)}; }
  [[nodiscard]] std::span<const T> operator[](int rank) const { return {values_.data() + offset(rank), count(rank)}; }

  [[nodiscard]] int size() const noexcept { return static_cast<int>(counts_.size()); }  // ranks
  [[nodiscard]] std::vector<T>& values() noexcept { return values_; }
  [[nodiscard]] const std::vector<T>& values() const noexcept { return values_; }
  [[nodiscard]] const std::vector<MPI_Count>& counts() const noexcept { return counts_; }
  [[nodiscard]] const std::vector<MPI_Aint>& offsets() const noexcept { return offsets_; }
  [[nodiscard]] fixed_blocks<T> blocks() noexcept { return fixed_blocks<T>(*this); }

 private:
  // Finds out where each block begins; how many elements there are.
  std::size_t place_blocks() {
    MPI_Aint end = 0;
    offsets_.reserve(counts_.size());
    for (const MPI_Count count : counts_) {
      offsets_.push_back(end);
      end += static_cast<MPI_Aint>(count);
    }
    return static_cast<std::size_t>(end);
  }
  std::size_t offset(int rank) const { return static_cast<std::size_t>(offsets_[static_cast<std::size_t>(rank)]); }
  std::size_t count(int rank) const { return static_cast<std::size_t>(counts_[static_cast<std::size_t>(rank)]); }

  std::vector<T> values_;
  std::vector<MPI_Count> counts_;
  std::vector<MPI_Aint> offsets_;
};

namespace detail {

// A buffer whose length is each rank's own: gather makes values of what the ranks bring (antiphon::serialized).
template <class B>
concept of_any_length = requires(const ragged<std::byte>& blocks) {
  B::values(blocks);
};

}  // namespace detail
}  // namespace antiphon
