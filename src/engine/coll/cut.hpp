// What is in one piece, cut into parts of nearly the same length: for algorithms that give each rank its part, or
// that let parts follow each other. Values.
#pragma once

#include "engine/coll/reduction.hpp"

namespace antiphon::coll {

// A region by bytes. Its parts are blocks, one for each rank.
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

// A vector between elements.
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

// How many parts of up to `most` there are in so much; one where it is nothing.
[[nodiscard]] inline int parts_of(std::size_t whole, std::size_t most) {
  return whole <= most ? 1 : static_cast<int>((whole - 1) / most + 1);
}

}  // namespace antiphon::coll
