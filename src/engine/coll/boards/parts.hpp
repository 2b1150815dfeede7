// How what is longer than a page is cut into parts, and a page into what is for each rank.
#pragma once

#include <algorithm>

#include "engine/coll/boards/board.hpp"

namespace antiphon::coll {

// Calls take(offset, length), which has a turn, for all parts of `bytes` that are no longer than `most`.
template <class Take>
void in_parts(Board& board, std::size_t bytes, std::size_t most, Take&& take) {
  for (std::size_t offset = 0; offset < bytes; offset += most) try {
      take(offset, std::min(most, bytes - offset));
    } catch (...) {
      board.skip((bytes - offset - 1) / most);
      throw;
    }
}

// A page may have a part for each other rank, all of the same length.
class Parts {
 public:
  Parts(const Board& board, std::size_t length) : others_(others(board)), each_(base::whole_lines(length)) {}
  // The longest that fit.
  [[nodiscard]] static std::size_t most(const Board& board, Operation what) {
    return board.part_bytes(what) / others(board) / base::kCacheLine * base::kCacheLine;
  }
  [[nodiscard]] std::size_t bytes() const { return others_ * each_; }
  // Where on the page of one rank that for another begins.
  [[nodiscard]] std::size_t from(int writer, int reader) const {
    return static_cast<std::size_t>(reader < writer ? reader : reader - 1) * each_;
  }

 private:
  static std::size_t others(const Board& board) { return static_cast<std::size_t>(board.size() - 1); }
  std::size_t others_, each_;
};

}  // namespace antiphon::coll
