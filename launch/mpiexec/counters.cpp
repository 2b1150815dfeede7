#include "mpiexec/counters.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace antiphon::launch {
namespace {

constexpr std::size_t kMostColumns = 8;

std::string heading(std::size_t ranks) {
  std::string line = fmt::format("{:<28}{:>14}", "counters", "all ranks");
  if (ranks > kMostColumns) return line + fmt::format("{:>22}{:>22}", "least (rank)", "most (rank)");
  for (std::size_t rank = 0; rank < ranks; ++rank) line += fmt::format("{:>14}", fmt::format("rank {}", rank));
  return line;
}

std::string row(std::string_view name, const std::vector<std::uint64_t>& values) {
  std::uint64_t sum = 0;
  for (const std::uint64_t value : values) sum += value;
  if (sum == 0) return {};
  std::string line = fmt::format("\n{:<28}{:>14}", name, sum);
  if (values.size() <= kMostColumns) {
    for (const std::uint64_t value : values) line += fmt::format("{:>14}", value);
    return line;
  }
  for (const auto& extreme :
       {std::min_element(values.begin(), values.end()), std::max_element(values.begin(), values.end())})
    line += fmt::format("{:>22}", fmt::format("{} ({})", *extreme, extreme - values.begin()));
  return line;
}

}  // namespace

std::string describe_counters(std::span<const RankCounters> ranks) {
  std::string rows;
  std::vector<std::uint64_t> values(ranks.size());
  for (std::size_t i = 0; i < counters::kHowMany; ++i) {
    std::transform(ranks.begin(), ranks.end(), values.begin(), [i](const RankCounters& rank) { return rank[i]; });
    rows += row(counters::table[i].name, values);
  }
  return rows.empty() ? rows : heading(ranks.size()) + rows;
}

}  // namespace antiphon::launch
