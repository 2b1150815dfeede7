// The algorithms that each collective may be carried out by: what each needs, and what it is predicted to cost. Knows
// nothing of how they work, so that antiphon-info can ask, too. Pure.
#pragma once

#include <cstdint>
#include <span>

#include "engine/coll/model.hpp"

namespace antiphon::coll {

// An algorithm of an operation: its number is the value of the operation's setting.
struct Candidate {
  enum Needs : std::uint8_t {
    nothing = 0,
    commuting = 1,             // the operation does
    element_a_rank = 2,        // the vector has at least as many elements as there are ranks
    power_of_two = 4,          // of ranks
    several_nodes = 8,         // with several ranks on some of them
    nodes_in_order = 16,       // the ranks of each follow one another
    order_kept_by_nodes = 32,  // so that what does not commute is combined in order; or it does
    request = 64,              // somebody has to ask for it: the model thinks too well of it
    sure_length = 128          // which says how many messages there are
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
// The one with this number; null where there is none, as of 0, which is no algorithm's.
[[nodiscard]] const Candidate* candidate(Operation operation, int number);
// The cheapest that can. There always is one.
[[nodiscard]] const Candidate& cheapest(const Case& what, const Machine& machine);
// What settings ask for: the value of the operation's own.
[[nodiscard]] int wanted(Operation operation, const settings::Values& settings);

}  // namespace antiphon::coll
