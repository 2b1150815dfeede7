// A contiguous range of bytes, in this process's memory or, by its address there, in another process's.
#pragma once

#include <cstddef>

namespace antiphon::base {

struct Piece {
  std::byte* begin;
  std::size_t bytes;
};

}  // namespace antiphon::base
