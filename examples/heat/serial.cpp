#include "serial.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "stencil.hpp"

namespace {

void step(const Temperatures& before, Temperatures& now) {
  const int right = before.width - 1, bottom = before.height - 1;
  for (int y = 0; y <= bottom; ++y) {
    // At an edge the cell itself stands for the missing neighbour, so no heat flows.
    const int north = std::max(y - 1, 0), south = std::min(y + 1, bottom);
    const auto cell = [&](int x, int west, int east) {
      now.at(x, y) = next_temperature(before.at(x, y), before.at(x, north), before.at(x, south), before.at(west, y),
                                      before.at(east, y));
    };
    cell(0, 0, std::min(1, right));
    for (int x = 1; x < right; ++x) cell(x, x - 1, x + 1);
    if (right > 0) cell(right, right - 1, right);
  }
}

}  // namespace

Temperatures heat_serially(Temperatures start, int steps) {
  Temperatures now = std::move(start), before = now;
  for (int i = 0; i < steps; ++i) {
    std::swap(now, before);
    step(before, now);
  }
  return now;
}

double largest_difference(const Temperatures& a, const Temperatures& b) {
  if (a.width != b.width || a.height != b.height) return std::numeric_limits<double>::infinity();
  double largest = 0.0;
  for (std::size_t i = 0; i < a.values.size(); ++i) {
    const double difference = std::abs(a.values[i] - b.values[i]);
    if (!(difference <= largest)) largest = difference;  // written so that NaN counts as a difference
  }
  return largest;
}
