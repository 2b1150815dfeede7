// Where the bytes of a message are in memory: this process's own, memory that it has mapped, or memory of another
// process that is only listed and not touched here. Copies any part of a message from one such place to another.
#pragma once

#include <algorithm>
#include <array>
#include <span>

#include "engine/data/scattered.hpp"

namespace antiphon::data {

struct Place {
  std::byte* at;                           // the first byte, or the origin of displacements
  const layout::Layout* layout = nullptr;  // null: contiguous
  std::int64_t count = 1;

  Place(std::byte* address, const Scattered& body)
      : at(address), layout(body ? &body.type->layout() : nullptr), count(body ? body.count : 1) {}
  Place(std::byte* address, const Elsewhere* body) : at(address), layout(body ? &body->layout : nullptr) {}

  // Lists the pieces that hold the message from `offset` on, up to `bytes` bytes, as many as `found` has room for.
  // Returns the number of pieces, and in *covered the number of bytes in them.
  std::size_t pieces(std::size_t offset, std::size_t bytes, std::span<base::Piece> found, std::size_t* covered) const;
};

// The places may be the same if the message is contiguous in both; otherwise they must not overlap.
void copy(const Place& from, const Place& to, std::size_t offset, std::size_t bytes);

// For bytes that the operating system copies: calls move(pieces here, pieces there, bytes) for as many bytes at a
// time as lie in a few pieces on both sides. The lists may have pieces beyond these bytes. False as soon as a call
// fails.
template <class Move>
[[nodiscard]] bool in_pieces(const Place& here, const Place& there, std::size_t offset, std::size_t bytes,
                             Move&& move) {
  constexpr std::size_t kAtOnce = 64;
  std::array<base::Piece, kAtOnce> mine, theirs;
  while (bytes != 0) {
    std::size_t covered_here = 0, covered_there = 0;
    const std::size_t count_here = here.pieces(offset, bytes, mine, &covered_here);
    const std::size_t count_there = there.pieces(offset, bytes, theirs, &covered_there);
    const std::size_t now = std::min(covered_here, covered_there);
    if (!move(std::span(mine).first(count_here), std::span(theirs).first(count_there), now)) return false;
    offset += now;
    bytes -= now;
  }
  return true;
}

}  // namespace antiphon::data
