// A run of bytes somewhere in memory: this process's, or by its address in another's.
#pragma once

#include <cstddef>

namespace antiphon::base {

struct Piece {
  std::byte* begin;
  std::size_t bytes;
};

}  // namespace antiphon::base
