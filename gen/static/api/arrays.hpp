// How the arguments whose width differs between a procedure and its large-count variant reach the one body that both
// share: arrays as views that read either width, results through a 64-bit place that is narrowed afterwards, user
// functions with the mark of their variant. Used by the generated entry points and by bodies; these objects own
// nothing and live as long as the call. A view kept by a nonblocking operation reads the user's array, which MPI
// requires to stay unchanged until completion.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <type_traits>

#include "abi/constants.hpp"
#include "api/address.hpp"
#include "base/error.hpp"
#include "mpi.h"

namespace antiphon::api {

static_assert(std::is_same_v<MPI_Aint, MPI_Count>, "one 64-bit type for addresses and counts");

// An array of int or of 64-bit integers, read as 64-bit integers. Converts from either kind of pointer.
class IntegerArray {
 public:
  IntegerArray() = default;
  IntegerArray(const int* values) : values_(values), wide_(false) {}
  IntegerArray(const MPI_Count* values) : values_(values), wide_(true) {}

  MPI_Count operator[](std::size_t index) const {
    return wide_ ? static_cast<const MPI_Count*>(values_)[index] : static_cast<const int*>(values_)[index];
  }
  MPI_Count operator[](int index) const { return (*this)[static_cast<std::size_t>(index)]; }
  MPI_Count operator[](MPI_Count index) const { return (*this)[static_cast<std::size_t>(index)]; }
  explicit operator bool() const { return is_address(values_); }
  bool wide() const { return wide_; }
  const void* data() const { return values_; }

 private:
  const void* values_ = nullptr;
  bool wide_ = false;
};

using CountArray = IntegerArray;
using DisplacementArray = IntegerArray;

// A user function in one of its two forms; exactly one pointer is set, or none when the user passed null.
template <class Plain, class Large>
struct EitherFunction {
  EitherFunction(Plain* function) : plain(function) {}
  EitherFunction(Large* function) : large(function) {}
  Plain* plain = nullptr;
  Large* large = nullptr;
};

// A result that a body writes in 64 bits and whose user waits for an int. wide() is null when the user's pointer is.
class Narrowed {
 public:
  Narrowed(int* result, const char* name) : result_(result), name_(name) {}
  static Narrowed in_out(int* value, const char* name) {
    Narrowed narrowed{value, name};
    if (is_address(value)) narrowed.wide_ = *value;
    return narrowed;
  }

  // What is no address reaches the body as it is, to be told of.
  MPI_Count* wide() { return is_address(result_) ? &wide_ : reinterpret_cast<MPI_Count*>(result_); }

  void store() const {
    if (!is_address(result_)) return;
    if (!fits()) {
      base::fail(abi::ERR_VALUE_TOO_LARGE, std::string(name_) + " would be " + std::to_string(wide_) +
                                               ", which no int can hold; the large-count variant (_c) can return it");
    }
    *result_ = static_cast<int>(wide_);
  }
  void store_or_undefined() const {
    if (is_address(result_)) *result_ = fits() ? static_cast<int>(wide_) : abi::UNDEFINED;
  }

 private:
  bool fits() const { return wide_ >= std::numeric_limits<int>::min() && wide_ <= std::numeric_limits<int>::max(); }

  int* result_;
  const char* name_;
  MPI_Count wide_ = 0;
};

}  // namespace antiphon::api
