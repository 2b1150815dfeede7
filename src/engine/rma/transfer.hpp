// One put or get: bytes that are moved between memory of this process and memory of the target. Either side may be
// scattered; both are counted in packed bytes, so positions correspond. Datatypes must outlive the transfer.
#pragma once

#include "engine/data/move.hpp"

namespace antiphon::rma {

// The user's arguments for the target's side. They have been checked one by one: the rank is in the window, the
// datatype is committed, and `count` elements of it have `bytes` bytes.
struct Wanted {
  int target;
  std::int64_t displacement;
  std::int64_t count;
  const objects::Datatype& type;
  std::size_t bytes;
};

// The target's memory. The address is one of the target's process.
struct RemoteSide {
  std::uint64_t address;
  data::Scattered scattered;  // empty: contiguous
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

// Copies all data at once. `remote` is where the target's side begins in memory of this process.
void copy_directly(const Transfer& transfer, std::byte* remote);

}  // namespace antiphon::rma
