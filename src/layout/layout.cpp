#include "layout/layout.hpp"

#include "base/copy.hpp"
#include "layout/build.hpp"
#include "layout/uncached.hpp"
#include "layout/walk.hpp"

namespace antiphon::layout {

namespace {

std::byte* at_address(Address address) { return reinterpret_cast<std::byte*>(address); }
std::size_t in_bytes(std::int64_t bytes) { return static_cast<std::size_t>(bytes); }

struct Packer {
  std::byte* packed;
  bool streams;  // past the caches

  void run(Address at, std::int64_t bytes) {
    base::copy_bytes(packed, at_address(at), in_bytes(bytes));
    packed += bytes;
  }
  void strided(Address at, std::int64_t count, const Strided& shape) {
    const auto pack = streams && shape.kernel.pack_streamed ? shape.kernel.pack_streamed : shape.kernel.pack;
    pack(packed, at_address(at), count, shape.stride, shape.block);
    packed += count * shape.block;
  }
  template <class Displacement>
  void blocks(Address at, std::int64_t first, std::int64_t count, const Blocks<Displacement>& shape) {
    shape.kernel.pack(packed, at_address(at), shape.displacements.data() + first, count, shape.block);
    packed += count * shape.block;
  }
  void pattern(Address at, std::int64_t count, const Loop& loop) {
    loop.kernel.pack(packed, at_address(at), count, loop.stride, loop.mask);
    packed += count * loop.body->size;
  }
  static constexpr bool stopped() { return false; }
};

struct Unpacker {
  const std::byte* packed;
  std::int64_t message;  // bytes of all of it

  void run(Address at, std::int64_t bytes) {
    base::copy_bytes(at_address(at), packed, in_bytes(bytes));
    packed += bytes;
  }
  void strided(Address at, std::int64_t count, const Strided& shape) {
    const auto far = message / kFarBlocks >= shape.block ? shape.kernel.unpack_far : nullptr;
    (far ? far : shape.kernel.unpack)(packed, at_address(at), count, shape.stride, shape.block);
    packed += count * shape.block;
  }
  template <class Displacement>
  void blocks(Address at, std::int64_t first, std::int64_t count, const Blocks<Displacement>& shape) {
    shape.kernel.unpack(packed, at_address(at), shape.displacements.data() + first, count, shape.block);
    packed += count * shape.block;
  }
  void pattern(Address at, std::int64_t count, const Loop& loop) {
    loop.kernel.unpack(packed, at_address(at), count, loop.stride, loop.mask);
    packed += count * loop.body->size;
  }
  static constexpr bool stopped() { return false; }
};

struct Lister {
  std::span<Piece> pieces;
  std::size_t listed = 0;
  std::int64_t covered = 0;

  void run(Address at, std::int64_t bytes) {
    if (listed != 0 && pieces[listed - 1].begin + pieces[listed - 1].bytes == at_address(at))
      pieces[listed - 1].bytes += in_bytes(bytes);
    else if (stopped())
      return;
    else
      pieces[listed++] = {at_address(at), in_bytes(bytes)};
    covered += bytes;
  }
  void strided(Address at, std::int64_t count, const Strided& shape) {
    for (; count != 0 && !stopped(); --count, at += static_cast<Address>(shape.stride)) run(at, shape.block);
  }
  template <class Displacement>
  void blocks(Address at, std::int64_t first, std::int64_t count, const Blocks<Displacement>& shape) {
    for (const Displacement* d = shape.displacements.data() + first; count != 0 && !stopped(); --count, ++d)
      run(at + static_cast<Address>(std::int64_t{*d}), shape.block);
  }
  [[nodiscard]] bool stopped() const { return listed == pieces.size(); }
};

}  // namespace

Layout::Layout(Placed one, std::int64_t extent) : one_(std::move(one)), many_(repeat(one_, 2, extent)) {}

template <class Mover>
inline void Layout::walk(const void* buffer, std::int64_t count, Slice slice, Mover& mover) const {
  if (slice.bytes == 0) return;
  const Placed& placed = count == 1 ? one_ : many_;
  const Address at = reinterpret_cast<Address>(buffer) + static_cast<Address>(placed.displacement);
  if (placed.is_run())
    mover.run(at + static_cast<Address>(slice.offset), slice.bytes);
  else if (count == 1 && slice.bytes == placed.size)
    Walk(mover).whole(*placed.node, at);
  else
    Walk(mover).part(*placed.node, at, slice.offset, slice.bytes);
}

void Layout::pack(const void* buffer, std::int64_t count, Slice slice, std::byte* packed) const {
  Packer packer{packed, slice.bytes >= streamed_from()};
  walk(buffer, count, slice, packer);
  if (packer.streams) settle();
}

void Layout::unpack(void* buffer, std::int64_t count, Slice slice, const std::byte* packed) const {
  Unpacker unpacker{packed, count * one_.size};
  walk(buffer, count, slice, unpacker);
}

std::size_t Layout::pieces(const void* buffer, std::int64_t count, Slice slice, std::span<Piece> pieces,
                           std::int64_t* covered) const {
  Lister lister{pieces};
  if (!pieces.empty()) walk(buffer, count, slice, lister);
  *covered = lister.covered;
  return lister.listed;
}

}  // namespace antiphon::layout
