// Which array of MPI_Type_get_contents each number of a recipe goes into (MPI 5.0, 5.1.13): integers if the
// constructor took int, addresses if it took MPI_Aint, counts if the large-count constructor took MPI_Count.
#pragma once

#include "objects/datatype.hpp"

namespace antiphon::objects {

enum class Place { integer, address, large_count };

[[nodiscard]] inline Place place_of(const Recipe& recipe, std::size_t index) {
  const std::vector<std::int64_t>& n = recipe.numbers;
  if (recipe.large) {
    if (recipe.combiner == abi::COMBINER_SUBARRAY)  // ndims and order are int in both
      return index == 0 || index + 1 == n.size() ? Place::integer : Place::large_count;
    if (recipe.combiner == abi::COMBINER_DARRAY)  // only array_of_gsizes is wider
      return index >= 3 && index < 3 + static_cast<std::size_t>(n[2]) ? Place::large_count : Place::integer;
    return Place::large_count;
  }
  switch (recipe.combiner) {
    case abi::COMBINER_RESIZED:
      return Place::address;
    case abi::COMBINER_HVECTOR:
    case abi::COMBINER_HINDEXED_BLOCK:
      return index < 2 ? Place::integer : Place::address;
    case abi::COMBINER_HINDEXED:
    case abi::COMBINER_STRUCT:
      return index <= static_cast<std::size_t>(n[0]) ? Place::integer : Place::address;
    default:
      return Place::integer;
  }
}

}  // namespace antiphon::objects
