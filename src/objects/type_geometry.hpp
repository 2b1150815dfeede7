// What a datatype spans in memory: size, bounds and alignment, as MPI 5.0, 5.1.6 to 5.1.8 define them on the type
// map, computed from the geometry of its parts. Bounds set by MPI_Type_create_resized are marks in the type map:
// where one is anywhere inside, marks alone decide. Where data lies at other places than its alignment asks for, a
// type ends with its parts' padding (docs/datatypes.md). All in bytes; whatever does not fit into 64 bits throws.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "abi/constants.hpp"
#include "base/error.hpp"
#include "objects/element.hpp"
#include "objects/signature.hpp"

namespace antiphon::objects {

// Arithmetic on sizes and displacements that users compose as they like.
[[noreturn, gnu::cold, gnu::noinline]] inline void fail_too_large() {
  base::fail(abi::ERR_ARG, "the datatype would span more bytes than 64 bits can count");
}
inline std::int64_t checked_add(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) [[unlikely]]
    fail_too_large();
  return sum;
}
inline std::int64_t checked_subtract(std::int64_t a, std::int64_t b) {
  std::int64_t difference = 0;
  if (__builtin_sub_overflow(a, b, &difference)) [[unlikely]]
    fail_too_large();
  return difference;
}
inline std::int64_t checked_multiply(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) [[unlikely]]
    fail_too_large();
  return product;
}

class Geometry {
 public:
  Geometry() = default;
  static Geometry of_data(const Basic& basic, std::int64_t alignment) {
    Geometry geometry;
    geometry.size_ = basic.bytes();
    geometry.external_size_ = std::int64_t{basic.scalars} * basic.external_bytes;
    geometry.swap_width_ = basic.swap_width();
    geometry.data_ = {basic.displacement, basic.displacement + basic.bytes()};
    geometry.alignment_ = alignment;
    geometry.padded_end_ = geometry.data_->high;
    geometry.signature_ =
        Signature::of(static_cast<std::uint64_t>(basic.element) << 8 | static_cast<std::uint64_t>(basic.bytes()));
    return geometry;
  }

  [[nodiscard]] std::int64_t size() const { return size_; }
  // Packed as external32; and the one length of value whose bytes must be reversed for that, if it takes no more.
  [[nodiscard]] std::int64_t external_size() const { return external_size_; }
  [[nodiscard]] std::optional<int> swap_width() const {
    return swap_width_ > 0 ? std::optional<int>(swap_width_) : std::nullopt;
  }
  [[nodiscard]] std::int64_t true_lb() const { return data_ ? data_->low : 0; }
  [[nodiscard]] std::int64_t true_ub() const { return data_ ? data_->high : 0; }
  [[nodiscard]] std::int64_t lb() const { return lower_mark_ ? *lower_mark_ : true_lb(); }
  // Without a mark, the end of the data and as many bytes as keep the next of these types aligned.
  [[nodiscard]] std::int64_t ub() const {
    if (upper_mark_) return *upper_mark_;
    const std::int64_t end = is_aligned_ ? true_ub() : std::max(true_ub(), padded_end_);
    const std::int64_t beyond = checked_subtract(end, lb()) % alignment_;
    return beyond > 0 ? checked_add(end, alignment_ - beyond) : end;
  }
  [[nodiscard]] const Signature& signature() const { return signature_; }

  // As others are made of it.
  [[nodiscard]] Geometry as_part() const {
    Geometry part = *this;
    part.padded_end_ = ub();
    return part;
  }

  [[nodiscard]] Geometry repeated(std::int64_t count, std::int64_t stride) const {
    if (count == 0) return {};
    const std::int64_t last = count == 1 ? 0 : checked_multiply(count - 1, stride);
    const std::int64_t down = std::min<std::int64_t>(last, 0), up = std::max<std::int64_t>(last, 0);
    Geometry all = *this;
    all.size_ = checked_multiply(size_, count);
    all.external_size_ = checked_multiply(external_size_, count);
    if (data_) all.data_ = {checked_add(data_->low, down), checked_add(data_->high, up)};
    if (lower_mark_) all.lower_mark_ = checked_add(*lower_mark_, down);
    if (upper_mark_) all.upper_mark_ = checked_add(*upper_mark_, up);
    all.padded_end_ = checked_add(padded_end_, up);
    all.is_aligned_ &= count == 1 || stride % alignment_ == 0;
    all.signature_ = signature_.repeated(count);
    return all;
  }

  [[nodiscard]] Geometry displaced(std::int64_t by) const {
    Geometry moved = *this;
    if (data_) moved.data_ = {checked_add(data_->low, by), checked_add(data_->high, by)};
    if (lower_mark_) moved.lower_mark_ = checked_add(*lower_mark_, by);
    if (upper_mark_) moved.upper_mark_ = checked_add(*upper_mark_, by);
    moved.padded_end_ = checked_add(padded_end_, by);
    moved.is_aligned_ &= by % alignment_ == 0;
    return moved;
  }

  void append(const Geometry& next) {
    if (next.data_) padded_end_ = data_ ? std::max(padded_end_, next.padded_end_) : next.padded_end_;
    is_aligned_ &= next.is_aligned_;
    if (next.size_ != 0) swap_width_ = size_ == 0 || swap_width_ == next.swap_width_ ? next.swap_width_ : 0;
    size_ = checked_add(size_, next.size_);
    external_size_ = checked_add(external_size_, next.external_size_);
    if (data_ && next.data_)
      data_ = {std::min(data_->low, next.data_->low), std::max(data_->high, next.data_->high)};
    else if (next.data_)
      data_ = next.data_;
    if (next.lower_mark_) lower_mark_ = lower_mark_ ? std::min(*lower_mark_, *next.lower_mark_) : next.lower_mark_;
    if (next.upper_mark_) upper_mark_ = upper_mark_ ? std::max(*upper_mark_, *next.upper_mark_) : next.upper_mark_;
    alignment_ = std::max(alignment_, next.alignment_);
    signature_ = signature_.followed_by(next.signature_);
  }

  void mark(std::int64_t lower, std::int64_t upper) {
    lower_mark_ = lower;
    upper_mark_ = upper;
  }

 private:
  struct Range {
    std::int64_t low, high;
  };

  std::int64_t size_ = 0;
  std::int64_t external_size_ = 0;
  int swap_width_ = 0;
  std::optional<Range> data_;
  std::optional<std::int64_t> lower_mark_, upper_mark_;
  std::int64_t alignment_ = 1;
  std::int64_t padded_end_ = 0;  // of the part that ends last, with its padding
  bool is_aligned_ = true;       // every part lies at a multiple of its alignment
  Signature signature_;
};

}  // namespace antiphon::objects
