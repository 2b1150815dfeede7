// One put or get, as the user's arguments say: so many bytes between memory here and memory of the target's. Either
// side may be scattered; packed bytes are counted on both, so they correspond. Types outlive the transfer.
#pragma once

#include "engine/pt2pt/body.hpp"

namespace antiphon::rma {

// The target's memory by its address in the target's own process.
struct RemoteSide {
  std::uint64_t address;
  pt2pt::Scattered scattered;  // if not in one piece
};

struct LocalSide {
  std::byte* buffer;
  pt2pt::Scattered scattered;
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
