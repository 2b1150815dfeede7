#include "engine/coll/choice.hpp"

#include <algorithm>

#include "engine/coll/candidates.hpp"

namespace antiphon::coll {

const Chooser::Column& Chooser::column(Operation operation, int ranks) {
  const auto [found, is_new] = columns_[static_cast<std::size_t>(operation)].try_emplace(ranks);
  Column& column = found->second;
  if (!is_new) return column;
  column.ranks = ranks;
  for (std::size_t width = 0; width < column.numbers.size(); ++width) {
    constexpr std::size_t kLongest = 50;  // no vector is longer
    const std::size_t bytes = width == 0 ? 0 : std::size_t{1} << (std::min(width, kLongest) - 1);
    column.numbers[width] = static_cast<std::uint8_t>(
        cheapest({.operation = operation, .ranks = ranks, .bytes = bytes}, machine_).number);
  }
  return column;
}

namespace {
// The algorithm that combines in the order in which boards do; 0 for operations that do not combine.
int number_like_boards(Operation operation) {
  switch (operation) {
    case Operation::reduce:
      return static_cast<int>(settings::ReduceAlgorithm::binomial);
    case Operation::allreduce:
      return static_cast<int>(settings::AllreduceAlgorithm::recursive_doubling);
    case Operation::reduce_scatter:
      return static_cast<int>(settings::ReduceScatterAlgorithm::reduce_scatter);
    case Operation::scan:
      return static_cast<int>(settings::ScanAlgorithm::doubling);
    default:
      return 0;
  }
}
}  // namespace

int Choice::unusual_number(int wanted, Case& what) const {
  if (wanted == 0 && manner_ == Manner::like_boards) wanted = number_like_boards(what.operation);
  if (nodes_) {
    what.nodes = nodes_->number();
    what.nodes_in_order = nodes_->in_order();
  } else if (manner_ == Manner::between_nodes) {
    what.nodes = what.ranks;
  } else if (manner_ == Manner::of_any_length) {
    what.bytes = what.elements = 0;
    what.length_is_sure = false;
  }
  if (wanted != 0)
    if (const Candidate* asked_for = candidate(what.operation, wanted); asked_for && asked_for->can(what))
      return wanted;
  return cheapest(what, machine()).number;
}

}  // namespace antiphon::coll
