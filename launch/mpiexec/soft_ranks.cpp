#include "mpiexec/soft_ranks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>

namespace antiphon::launch {
namespace {

// Removes the text before the next `separator` from `text`, and the separator, and returns the text.
std::string_view take_until(char separator, std::string_view& text) {
  const std::string_view first = text.substr(0, text.find(separator));
  text.remove_prefix(std::min(text.size(), first.size() + 1));
  return first;
}

struct Triplet {
  std::int64_t first, last, step;
};

std::optional<Triplet> parse_triplet(std::string_view text) {
  std::array<std::int64_t, 3> numbers{0, 0, 1};
  std::size_t count = 0;
  if (text.empty() || text.ends_with(':')) return std::nullopt;
  for (std::string_view rest = text; !rest.empty(); ++count) {
    const std::string_view word = take_until(':', rest);
    int number = 0;
    const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (count == numbers.size() || word.empty() || error != std::errc{} || stop != word.data() + word.size())
      return std::nullopt;
    numbers[count] = number;
  }
  const auto [first, last, step] = numbers;
  if (count == 1) return Triplet{first, first, 1};
  if (step == 0 || (last > first && step < 0) || (last < first && step > 0)) return std::nullopt;
  return Triplet{first, last, step};
}

// The greatest number of the triplet that is at most `most`; 0 if there is none.
std::int64_t greatest(const Triplet& triplet, std::int64_t most) {
  const auto [first, last, step] = triplet;
  const std::int64_t low = step > 0 ? first : first + (last - first) / step * step;
  const std::int64_t high = std::min(step > 0 ? last : first, most);
  const std::int64_t stride = step > 0 ? step : -step;
  const std::int64_t found = high < low ? 0 : low + (high - low) / stride * stride;
  return std::max<std::int64_t>(found, 0);
}

}  // namespace

int soft_ranks(std::string_view triplets, int most) {
  std::int64_t best = 0;
  std::string_view rest = triplets;
  do {
    const std::string_view word = take_until(',', rest);
    const std::optional<Triplet> triplet = parse_triplet(word);
    if (!triplet || triplets.ends_with(','))
      throw std::invalid_argument(fmt::format(
          "'{}' is not a list of triplets (valid: numbers, ranges a:b and a:b:c, separated by commas)", triplets));
    best = std::max(best, greatest(*triplet, most));
  } while (!rest.empty());
  return static_cast<int>(best);
}

}  // namespace antiphon::launch
