// The layout of a committed datatype: moves any slice of `count` consecutive ones between a buffer and a packed
// stream. Owned by the datatype, immutable, usable from any thread. Its size does not depend on counts that loops
// express.
//
// A slice is `bytes` packed bytes from byte `offset` of the whole message, so a message can be moved through windows
// of any size; consecutive slices give the same bytes as one. Whoever calls has checked that slices lie inside.
#pragma once

#include <span>

#include "base/piece.hpp"
#include "layout/node.hpp"

namespace antiphon::layout {

struct Slice {
  std::int64_t offset;
  std::int64_t bytes;
};

using base::Piece;

class Layout {
 public:
  Layout() = default;  // of a type without data
  Layout(Placed one, std::int64_t extent);

  [[nodiscard]] std::int64_t size() const { return one_.size; }
  // Whether any number of consecutive ones is a single run, and where that begins, relative to the buffer.
  [[nodiscard]] bool contiguous() const { return many_.is_run(); }
  [[nodiscard]] std::int64_t displacement() const { return one_.displacement; }
  [[nodiscard]] const Placed& one() const { return one_; }

  void pack(const void* buffer, std::int64_t count, Slice slice, std::byte* packed) const;
  void unpack(void* buffer, std::int64_t count, Slice slice, const std::byte* packed) const;

  // The pieces of the slice, in order, as many as `pieces` has room for. Returns how many, and in *covered the packed
  // bytes they stand for.
  std::size_t pieces(const void* buffer, std::int64_t count, Slice slice, std::span<Piece> pieces,
                     std::int64_t* covered) const;

 private:
  template <class Mover>
  void walk(const void* buffer, std::int64_t count, Slice slice, Mover& mover) const;

  Placed one_;
  Placed many_;  // two of them: their loop serves for any number
};

}  // namespace antiphon::layout
