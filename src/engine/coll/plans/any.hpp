// The plan of any operation in a Case, on memory that does not exist: for code that counts plans, and for ranks that
// take part in a collective without data. Elements have 8 bytes, unless the case has a number of elements.
#pragma once

#include "engine/coll/cost.hpp"
#include "engine/coll/plans/allgather.hpp"
#include "engine/coll/plans/allgatherv.hpp"
#include "engine/coll/plans/allreduce.hpp"
#include "engine/coll/plans/alltoall.hpp"
#include "engine/coll/plans/barrier.hpp"
#include "engine/coll/plans/gather.hpp"
#include "engine/coll/plans/reduce_scatter.hpp"
#include "engine/coll/plans/scan.hpp"
#include "engine/coll/plans/scatter.hpp"

namespace antiphon::coll {

// What a rank gives does not overlap what it gets.
template <Sink S>
void plan_any(S& sink, const Case& what, const Choice& choice, int root = 0) {
  const bool counted = what.elements != Case{}.elements && what.elements != 0;
  const std::size_t element = counted ? what.bytes / what.elements : 8, elements = what.bytes / element;
  const Reduction any_order = Reduction::of(objects::Op::Kind::sum, objects::Element::float64, element);
  const Reduction adding = what.commutes ? any_order : any_order.in_order();
  const auto n = static_cast<std::size_t>(what.ranks);
  std::byte* const given = Counter::nowhere();
  std::byte* const got = given + (std::size_t{1} << 45);
  const Region block{given, what.bytes}, vector{got, what.bytes}, blocks{got, what.bytes * n};
  const Vector terms{given, elements, adding}, result{got, elements, adding};
  const auto listed = [&](std::byte* start) {
    std::vector<Region> list;
    for (std::size_t i = 0; i < n; ++i) list.emplace_back(start + i * what.bytes, what.bytes);
    return BlockList(std::move(list));
  };
  switch (what.operation) {
    case Operation::barrier:
      return plan_barrier(sink, choice);
    case Operation::bcast:
      return plan_bcast(sink, vector, root, choice);
    case Operation::reduce:
      return plan_reduce(sink, terms, result, root, choice);
    case Operation::allreduce:
      return plan_allreduce(sink, terms, result, choice);
    case Operation::gather:
      return plan_gather(sink, block, blocks, root, choice);
    case Operation::scatter:
      return plan_scatter(sink, blocks, block, root, choice);
    case Operation::allgather:
      return plan_allgather(sink, block, blocks, choice);
    case Operation::allgatherv:
      return plan_allgatherv(sink, block, listed(got), choice);
    case Operation::alltoall:
      return plan_alltoall(sink, Region{given, what.bytes * n}, blocks, choice);
    case Operation::alltoallv:
      return plan_alltoall(sink, listed(given), listed(got), choice);
    case Operation::reduce_scatter:
      return plan_reduce_scatter(sink, terms, Shares(terms.elements() / n), {got, terms.elements() / n, adding},
                                 choice);
    case Operation::scan:
      return plan_scan(sink, terms, result, choice);
    case Operation::exscan:
      return plan_exscan(sink, terms, result, choice);
    case Operation::none:
      return;
  }
}

}  // namespace antiphon::coll
