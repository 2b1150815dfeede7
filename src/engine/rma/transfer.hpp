// One put or get: a number of bytes between memory here and memory at the target. Either side may be scattered;
// both count packed bytes, so positions correspond. Types outlive the transfer.
#pragma once

#include "engine/data/move.hpp"

namespace antiphon::rma {

// What the user's arguments say about the target's side. They have been checked by themselves: the rank is one of the
// window's, the type committed, and `bytes` what `count` elements of it have.
struct Wanted {
  int target;
  std::int64_t displacement;
  std::int64_t count;
  const objects::Datatype& type;
  std::size_t bytes;
};

// The target's memory by its address in the target's own process.
struct RemoteSide {
  std::uint64_t address;
  data::Scattered scattered;  // if not in one piece
};

struct LocalSide {
  std::byte* buffer;
  data::Scattered scattered;
};

struct Transfer {
  enum class Kind : std::uint8_t { put, get };

  Kind kind;
  int target;  // rank in the window
  LocalSide local;
  RemoteSide remote;
  std::size_t bytes;
};

// All of it at once, where the target's side begins at `remote` in memory of this process.
void copy_directly(const Transfer& transfer, std::byte* remote);

}  // namespace antiphon::rma
