// The algorithms that can carry out each operation: what each needs, and what it is predicted to cost. Does not
// include the algorithms themselves, so that antiphon-info can use it. Pure.
#pragma once

#include <cstdint>
#include <span>

#include "engine/coll/model.hpp"

namespace antiphon::coll {

// An algorithm of an operation. Its number is its value of the operation's setting.
struct Candidate {
  enum Needs : std::uint8_t {
    nothing = 0,
    commuting = 1,             // the operation commutes
    element_a_rank = 2,        // the vector has at least as many elements as there are ranks
    power_of_two = 4,          // the number of ranks is one
    several_nodes = 8,         // with several ranks on some of them
    nodes_in_order = 16,       // the ranks of each node are consecutive
    order_kept_by_nodes = 32,  // nodes are in order, or the operation commutes
    request = 64,              // a setting must ask for it, because the model underestimates its cost
    sure_length = 128          // all ranks know the length, which decides how many messages there are
  };
  using Estimating = Estimate(const Case& what, const Machine& machine);

  template <class Algorithm>
  constexpr Candidate(Algorithm setting, Estimating& by, std::uint8_t what_it_needs = nothing)
      : number(static_cast<int>(setting)), needs(what_it_needs), estimate(by) {}

  int number;
  std::uint8_t needs;
  Estimating& estimate;

  [[nodiscard]] bool can(const Case& what) const;
  [[nodiscard]] bool is_chosen_by_cost() const { return (needs & request) == 0; }
};
[[nodiscard]] std::span<const Candidate> candidates(Operation operation);
// The algorithm with this number; null if there is none. 0 is no algorithm's number.
[[nodiscard]] const Candidate* candidate(Operation operation, int number);
// The cheapest of those that can carry it out. There always is one.
[[nodiscard]] const Candidate& cheapest(const Case& what, const Machine& machine);
// The value of the operation's own setting.
[[nodiscard]] int wanted(Operation operation, const settings::Values& settings);

}  // namespace antiphon::coll
