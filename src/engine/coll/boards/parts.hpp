// How long data is cut into parts of a page, and a page into a part for each rank.
#pragma once

#include <algorithm>

#include "engine/coll/boards/board.hpp"

namespace antiphon::coll {

// Calls take(offset, length) for consecutive parts of `bytes` bytes, none longer than `most`. Each call takes one
// turn of the board. If one throws, the turns of the remaining parts are skipped.
template <class Take>
void in_parts(Board& board, std::size_t bytes, std::size_t most, Take&& take) {
  for (std::size_t offset = 0; offset < bytes; offset += most) try {
      take(offset, std::min(most, bytes - offset));
    } catch (...) {
      board.skip((bytes - offset - 1) / most);
      throw;
    }
}

// The layout of a page that has a part for each other rank, all of the same length.
class Parts {
 public:
  Parts(const Board& board, std::size_t length) : others_(others(board)), each_(base::whole_lines(length)) {}
  // The longest parts that fit.
  [[nodiscard]] static std::size_t most(const Board& board, Operation what) {
    return board.part_bytes(what) / others(board) / base::kCacheLine * base::kCacheLine;
  }
  [[nodiscard]] std::size_t bytes() const { return others_ * each_; }
  // Where the part for `reader` begins on the page of `writer`.
  [[nodiscard]] std::size_t from(int writer, int reader) const {
    return static_cast<std::size_t>(reader < writer ? reader : reader - 1) * each_;
  }

 private:
  static std::size_t others(const Board& board) { return static_cast<std::size_t>(board.size() - 1); }
  std::size_t others_, each_;
};

}  // namespace antiphon::coll
