#include "engine/rma/elements.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>

#include "base/copy.hpp"
#include "engine/data/place.hpp"

namespace antiphon::rma {

namespace {

using objects::Element;

template <class T>
constexpr Shape single(Element kind) {
  return {.kind = kind, .bytes = sizeof(T), .extent = sizeof(T), .first = sizeof(T), .second = 0};
}
template <class First, class Second>
constexpr Shape pair(Element kind) {
  struct Pair {
    First first;
    Second second;
  };
  return {.kind = kind,
          .bytes = sizeof(First) + sizeof(Second),
          .extent = sizeof(Pair),
          .first = sizeof(First),
          .second = offsetof(Pair, second)};
}
constexpr Shape scalars(Element kind, std::uint8_t bytes) {
  return {.kind = kind, .bytes = bytes, .extent = bytes, .first = bytes, .second = 0};
}

}  // namespace

// A switch, so that the compiler finds a kind that is missing.
Shape Shape::of(Element kind) {
  switch (kind) {
    case Element::none:
      return {};
    case Element::byte:
    case Element::character:
    case Element::packed:
    case Element::int8:
    case Element::uint8:
      return scalars(kind, 1);
    case Element::boolean:
      return single<bool>(kind);
    case Element::wide_character:
      return single<wchar_t>(kind);
    case Element::int16:
    case Element::uint16:
    case Element::float16:
      return scalars(kind, 2);
    case Element::int32:
    case Element::uint32:
    case Element::float32:
    case Element::complex32:
      return scalars(kind, 4);
    case Element::int64:
    case Element::uint64:
    case Element::float64:
    case Element::complex64:
      return scalars(kind, 8);
    case Element::int128:
    case Element::float128:
    case Element::complex128:
      return scalars(kind, 16);
    case Element::complex256:
      return scalars(kind, 32);
    case Element::float_extended:
      return single<long double>(kind);
    case Element::complex_extended:
      return scalars(kind, 2 * sizeof(long double));
    case Element::float_int:
      return pair<float, int>(kind);
    case Element::double_int:
      return pair<double, int>(kind);
    case Element::long_int:
      return pair<long, int>(kind);
    case Element::int_int:
      return pair<int, int>(kind);
    case Element::short_int:
      return pair<short, int>(kind);
    case Element::long_double_int:
      return pair<long double, int>(kind);
    case Element::float_float:
      return pair<float, float>(kind);
    case Element::double_double:
      return pair<double, double>(kind);
  }
  return {};
}

namespace {

// Collects elements, and merges those that follow one another into runs.
class Lister {
 public:
  Lister(const Shape& shape, std::span<Elements> found) : shape_(shape), found_(found) {}

  // False if there is no room.
  [[nodiscard]] bool add(std::uint64_t address, std::uint64_t count) {
    if (runs_ != 0) {
      Elements& last = found_[runs_ - 1];
      if (last.address + last.count * shape_.extent == address) return last.count += count, true;
    }
    if (runs_ == found_.size()) return false;
    found_[runs_++] = {address, count};
    return true;
  }
  void drop_last() {
    if (--found_[runs_ - 1].count == 0) --runs_;
  }
  [[nodiscard]] std::size_t runs() const { return runs_; }

 private:
  const Shape& shape_;
  std::span<Elements> found_;
  std::size_t runs_ = 0;
};

}  // namespace

// A piece holds whole elements, or a part of one: padding between the members of a pair divides it into two pieces.
std::size_t list_elements(const RemoteSide& remote, const Shape& shape, std::size_t offset, std::size_t bytes,
                          std::span<Elements> found) {
  const data::Place place(reinterpret_cast<std::byte*>(remote.address), remote.scattered);
  std::array<base::Piece, 64> pieces;
  std::size_t covered = 0, listed = 0;
  const std::size_t length = place.pieces(offset, bytes, pieces, &covered);
  Lister lister(shape, found);
  for (const base::Piece& piece : std::span(pieces).first(length)) {
    const std::uint64_t address = reinterpret_cast<std::uintptr_t>(piece.begin);
    if (shape.is_dense()) {
      if (!lister.add(address, piece.bytes / shape.bytes)) return lister.runs();
      continue;
    }
    for (std::size_t at = 0; at != piece.bytes;) {
      const std::size_t within = listed % shape.bytes;
      if (within == 0 && !lister.add(address + at, 1)) return lister.runs();
      const std::size_t step = std::min(shape.bytes - within, piece.bytes - at);
      at += step;
      listed += step;
    }
  }
  if (listed % shape.bytes != 0) lister.drop_last();
  return lister.runs();
}

namespace {

bool is_aligned(const void* address, std::size_t to) { return reinterpret_cast<std::uintptr_t>(address) % to == 0; }

}  // namespace

void Combining::pack(const std::byte* memory, std::byte* packed, std::size_t count) const {
  if (shape_.is_dense()) return base::copy_bytes(packed, memory, count * shape_.bytes);
  for (; count != 0; --count, memory += shape_.extent, packed += shape_.bytes) {
    std::memcpy(packed, memory, shape_.first);
    std::memcpy(packed + shape_.first, memory + shape_.second, std::size_t{shape_.bytes} - shape_.first);
  }
}

void Combining::unpack(const std::byte* packed, std::byte* memory, std::size_t count) const {
  if (shape_.is_dense()) return base::copy_bytes(memory, packed, count * shape_.bytes);
  for (; count != 0; --count, memory += shape_.extent, packed += shape_.bytes) {
    std::memcpy(memory, packed, shape_.first);
    std::memcpy(memory + shape_.second, packed + shape_.first, std::size_t{shape_.bytes} - shape_.first);
  }
}

// For elements that kernels cannot use in place: pairs that are packed, and elements that are not aligned.
void Combining::combine_copies(std::byte* memory, const std::byte* operand, std::size_t count) const {
  constexpr std::size_t kRoom = 1024;
  alignas(std::max_align_t) std::array<std::byte, kRoom> left, right;
  std::array<std::byte, kRoom> packed;
  const std::size_t most = kRoom / shape_.extent;
  for (; count != 0; count -= std::min(count, most)) {
    const std::size_t now = std::min(count, most);
    pack(memory, packed.data(), now);
    unpack(packed.data(), left.data(), now);
    unpack(operand, right.data(), now);
    kernel_(right.data(), left.data(), now);
    pack(left.data(), packed.data(), now);
    unpack(packed.data(), memory, now);
    memory += now * shape_.extent;
    operand += now * shape_.bytes;
  }
}

void Combining::operator()(std::byte* memory, const std::byte* operand, std::byte* fetched, std::size_t count) const {
  if (fetched) pack(memory, fetched, count);
  if (op_ == Op::no_op) return;
  if (op_ == Op::replace) return unpack(operand, memory, count);
  const std::size_t alignment = std::min<std::size_t>(shape_.extent & -std::size_t{shape_.extent}, 16);
  if (shape_.is_dense() && is_aligned(memory, alignment) && is_aligned(operand, alignment)) [[likely]]
    kernel_(operand, memory, count);
  else
    combine_copies(memory, operand, count);
}

}  // namespace antiphon::rma
