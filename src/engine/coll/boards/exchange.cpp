#include "engine/coll/boards/exchange.hpp"

#include "base/copy.hpp"
#include "engine/coll/boards/values.hpp"
#include "engine/coll/steps.hpp"

namespace antiphon::coll {

void write(const Region& from, std::byte* line) {
  if (from.in_one_piece()) [[likely]]
    base::copy_bytes(line, from.at, from.bytes);
  else
    copy(from, {line, from.bytes});
}

void read(const std::byte* line, const Region& to) {
  if (to.in_one_piece()) [[likely]]
    base::copy_bytes(to.at, line, to.bytes);
  else
    copy({line, to.bytes}, to);
}

void AllreduceExchange::take(const Lines& lines, int) const {
  Values values(result);
  values.take_all(lines, lines.ranks());
  values.combine_all(lines.ranks());
  values.give(0, result);
}

void ReduceScatterExchange::take(const Lines& lines, int) const {
  Values values(all);
  values.take_all(lines, lines.ranks());
  values.combine_to(0, lines.ranks());
  values.give(0, share, first);
}

void AllgatherExchange::take(const Lines& lines, int rank) const {
  for (int from = 0; from < lines.ranks(); ++from)
    if (from != rank || !in_place) read(lines.of(from), all.block(from, lines.ranks()));
}

void AlltoallExchange::take(const Lines& lines, int rank) const {
  const std::size_t each = given.bytes / static_cast<std::size_t>(lines.ranks());
  for (int from = 0; from < lines.ranks(); ++from)
    read(lines.of(from) + each * static_cast<std::size_t>(rank), in.block(from, lines.ranks()));
}

}  // namespace antiphon::coll
