// A buffer: as users name it, an address and a number of elements of a datatype; as engines see it, a number of
// packed bytes, contiguous or not. A value; the datatype is committed and must outlive it. Engines that need elements
// (reductions, blocks of collectives, accumulates) cut it between elements, protocols between packed bytes.
#pragma once

#include "engine/data/move.hpp"

namespace antiphon::data {

class Buffer {
 public:
  Buffer() = default;
  // The arguments must have been checked: `count` elements have fewer than 2^63 bytes.
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

  // Whether its bytes are contiguous, in the order of the type map; then they begin at begin().
  [[nodiscard]] bool in_one_piece() const { return in_one_piece_; }
  // The first byte; if the bytes are not contiguous, the origin of displacements.
  [[nodiscard]] std::byte* begin() const { return in_one_piece_ ? at(displacement_) : address_; }
  // For protocols, with begin() and bytes().
  [[nodiscard]] Scattered scattered() const { return in_one_piece_ ? Scattered{} : Scattered{type_, count_}; }

  // `count` elements from element `first` on. They may lie beyond the end, because users choose extents.
  [[nodiscard]] Buffer elements(std::int64_t first, std::int64_t count) const {
    return {at(first * type_->extent()), count, *type_};
  }

  void pack(std::byte* to) const { pack_part(begin(), scattered(), 0, to, bytes_); }
  void unpack(const std::byte* from) const { unpack_part(begin(), scattered(), 0, from, bytes_); }

 private:
  static constexpr std::int64_t kNone = INT64_MIN;

  // Addresses relative to MPI_BOTTOM are null plus a displacement, so this is not done by arithmetic on pointers.
  [[nodiscard]] std::byte* at(std::int64_t displacement) const {
    return reinterpret_cast<std::byte*>(reinterpret_cast<std::uintptr_t>(address_) +
                                        static_cast<std::uintptr_t>(displacement));
  }
  // The displacement of bytes that are contiguous in this buffer, although not for every count; kNone if they are
  // not.
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
