// A run of bytes in memory: this process's, or by its address another process's.
#pragma once

#include <cstddef>

namespace antiphon::base {

struct Piece {
  std::byte* begin;
  std::size_t bytes;
};

}  // namespace antiphon::base
