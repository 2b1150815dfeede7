// A buffer as a user names it: an address and so many elements of a datatype; and as engines see it: so many packed
// bytes, in one piece or not. A value; the type is committed and outlives it. Engines that need elements (reductions,
// blocks of collectives, accumulates) take their slices by elements, protocols by packed bytes.
#pragma once

#include "engine/data/move.hpp"

namespace antiphon::data {

class Buffer {
 public:
  Buffer() = default;
  // Arguments that have been checked: `count` elements have fewer bytes than 63 bits can count.
  Buffer(const void* address, std::int64_t count, const objects::Datatype& type)
      : address_(static_cast<std::byte*>(const_cast<void*>(address))),
        count_(count),
        type_(&type),
        bytes_(static_cast<std::size_t>(count * type.size())),
        displacement_(type.in_one_piece() ? 0 : displacement_of_one_piece()),
        in_one_piece_(type.in_one_piece() || displacement_ != kNone) {}

  [[nodiscard]] std::byte* address() const { return address_; }
  [[nodiscard]] std::int64_t count() const { return count_; }
  [[nodiscard]] const objects::Datatype& type() const { return *type_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }  // packed

  // Whether its bytes follow each other, in the order of the type map: from begin() on then.
  [[nodiscard]] bool in_one_piece() const { return in_one_piece_; }
  // Where displacements count from, if they do not.
  [[nodiscard]] std::byte* begin() const { return in_one_piece_ ? at(displacement_) : address_; }
  // As protocols take it, with begin() and bytes().
  [[nodiscard]] Scattered scattered() const { return in_one_piece_ ? Scattered{} : Scattered{type_, count_}; }

  // `count` elements from element `first` on. May lie behind the end: extents are the user's to choose.
  [[nodiscard]] Buffer elements(std::int64_t first, std::int64_t count) const {
    return {at(first * type_->extent()), count, *type_};
  }

  void pack(std::byte* to) const { pack_part(begin(), scattered(), 0, to, bytes_); }
  void unpack(const std::byte* from) const { unpack_part(begin(), scattered(), 0, from, bytes_); }

 private:
  static constexpr std::int64_t kNone = INT64_MIN;

  // Addresses of MPI_BOTTOM are null and a displacement, so no arithmetic on pointers.
  [[nodiscard]] std::byte* at(std::int64_t displacement) const {
    return reinterpret_cast<std::byte*>(reinterpret_cast<std::uintptr_t>(address_) +
                                        static_cast<std::uintptr_t>(displacement));
  }
  // What is in one piece as it is used here, though not in general.
  [[nodiscard]] std::int64_t displacement_of_one_piece() const {
    const layout::Layout& layout = type_->layout();
    const bool one_piece = bytes_ == 0 || layout.contiguous() || (count_ == 1 && layout.one().is_run());
    return one_piece ? layout.displacement() : kNone;
  }

  std::byte* address_ = nullptr;
  std::int64_t count_ = 0;
  const objects::Datatype* type_ = nullptr;
  std::size_t bytes_ = 0;
  std::int64_t displacement_ = 0;
  bool in_one_piece_ = true;
};

}  // namespace antiphon::data
