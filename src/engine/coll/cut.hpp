// Contiguous data cut into parts of nearly the same length, for algorithms that give each rank a part, or that pass
// on one part after the other. Values.
#pragma once

#include "engine/coll/reduction.hpp"

namespace antiphon::coll {

// A region cut between bytes, into a block for each rank.
struct CutRegion {
  Region whole;
  [[nodiscard]] Region block(int index, int all) const {
    const std::size_t begin = start(index, all);
    return {whole.at + begin, start(index + 1, all) - begin};
  }
  [[nodiscard]] Region blocks(int first, int number, int all) const {
    const std::size_t begin = start(first, all);
    return {whole.at + begin, start(first + number, all) - begin};
  }

 private:
  [[nodiscard]] std::size_t start(int index, int all) const {
    return whole.bytes * static_cast<std::size_t>(index) / static_cast<std::size_t>(all);
  }
};

// A vector cut between elements.
struct CutVector {
  Vector whole;
  [[nodiscard]] Vector part(int first, int last, int all) const {
    const auto start = [&](int index) {
      return whole.elements() * static_cast<std::size_t>(index) / static_cast<std::size_t>(all);
    };
    return whole.part(start(first), start(last));
  }
  [[nodiscard]] Region block(int index, int all) const { return part(index, index + 1, all).region(); }
};

// Into how many parts of at most `most` a length is cut; 1 for a length of 0.
[[nodiscard]] inline int parts_of(std::size_t whole, std::size_t most) {
  return whole <= most ? 1 : static_cast<int>((whole - 1) / most + 1);
}

}  // namespace antiphon::coll
