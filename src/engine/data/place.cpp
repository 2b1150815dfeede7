#include "engine/data/place.hpp"

#include <algorithm>
#include <array>

#include "base/copy.hpp"
#include "layout/build.hpp"

namespace antiphon::data {

namespace {

// Packs and unpacks through a buffer that stays in the nearest cache.
void rearrange(const Place& from, const Place& to, std::size_t offset, std::size_t bytes) {
  std::array<std::byte, std::size_t{8} << 10> window;
  while (bytes != 0) {
    const layout::Slice slice = Scattered::slice(offset, std::min(bytes, window.size()));
    from.layout->pack(from.at, from.count, slice, window.data());
    to.layout->unpack(to.at, to.count, slice, window.data());
    offset += static_cast<std::size_t>(slice.bytes);
    bytes -= static_cast<std::size_t>(slice.bytes);
  }
}

}  // namespace

std::optional<layout::Regular> in_few_words(const Scattered& body) {
  return layout::regular(layout::repeat(body.type->layout().one(), body.count, body.type->extent()));
}

std::size_t Place::pieces(std::size_t offset, std::size_t bytes, std::span<base::Piece> found,
                          std::size_t* covered) const {
  if (!layout) {
    found.front() = {at + offset, bytes};
    *covered = bytes;
    return 1;
  }
  std::int64_t listed = 0;
  const std::size_t length = layout->pieces(at, count, Scattered::slice(offset, bytes), found, &listed);
  *covered = static_cast<std::size_t>(listed);
  return length;
}

void copy(const Place& from, const Place& to, std::size_t offset, std::size_t bytes) {
  const layout::Slice slice = Scattered::slice(offset, bytes);
  if (!from.layout && !to.layout) [[likely]]
    base::copy_bytes(to.at + offset, from.at + offset, bytes);
  else if (!to.layout)
    from.layout->pack(from.at, from.count, slice, to.at + offset);
  else if (!from.layout)
    to.layout->unpack(to.at, to.count, slice, from.at + offset);
  else
    rearrange(from, to, offset, bytes);
}

}  // namespace antiphon::data
