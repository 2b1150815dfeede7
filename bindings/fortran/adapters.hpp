// What adapters of arrays share: room for C's version of a Fortran array, without the heap while it is short.
#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <memory>

namespace antiphon::fortran {

template <class T>
class Array {
 public:
  // A negative count is an error that the C interface will report: nothing of the array is read until then.
  explicit Array(MPI_Count count) : size_(count > 0 ? static_cast<std::size_t>(count) : 0) {
    if (size_ > few_.size()) many_ = std::make_unique<T[]>(size_);
  }
  [[nodiscard]] std::size_t size() const { return size_; }
  T* data() { return many_ ? many_.get() : few_.data(); }
  T& operator[](std::size_t i) { return data()[i]; }

 private:
  std::size_t size_;
  std::array<T, 32> few_;
  std::unique_ptr<T[]> many_;
};

}  // namespace antiphon::fortran
