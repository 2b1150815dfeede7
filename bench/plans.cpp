// What every algorithm of every collective sends, at 2 to 131,072 ranks: counted from its plan, without a message.
// On one node, and on nodes of 16 ranks. For each a line: operation, algorithm, nodes, ranks, bytes, then what the
// process with the most of them sends, in messages and bytes, and how long the longest way is predicted to take, in
// us. draw_plans makes a picture of it.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "engine/coll/candidates.hpp"
#include "engine/coll/plans/any.hpp"
#include "settings/text.hpp"

using namespace antiphon;

namespace {

coll::Cost most_of_any(const coll::Case& what, const coll::Choice& choice) {
  coll::Cost most;
  for (const int rank : std::set{0, 1, what.ranks / 2, what.ranks / 2 + 1, what.ranks - 1}) {
    coll::Counter counter(coll::View{{rank, what.ranks}});
    coll::plan_any(counter, what, choice);
    most.sends = std::max(most.sends, counter.cost().sends);
    most.bytes_sent = std::max(most.bytes_sent, counter.cost().bytes_sent);
  }
  return most;
}

// All that can be done by `ranks` of which so many share a node.
void print(coll::Operation operation, int ranks, int on_each, std::size_t bytes, coll::Chooser& chooser) {
  const bool several = on_each < ranks;
  const objects::Nodes nodes(ranks, on_each);
  const coll::Case what{
      .operation = operation, .ranks = ranks, .bytes = bytes, .elements = bytes / 8, .nodes = nodes.number()};
  const std::string name = std::string(coll::name_of(operation)) + "_algorithm";
  const settings::Setting& setting = settings::named(name, name);
  for (const coll::Candidate& algorithm : coll::candidates(operation)) {
    if (!algorithm.can(what)) continue;
    settings::Values values;
    setting.set(values, algorithm.number);
    const coll::Cost cost = most_of_any(what, {values, chooser, several ? &nodes : nullptr});
    fmt::print("{}\t{}\t{}\t{}\t{}\t{}\t{}\t{:.4g}\n", coll::name_of(operation),
               setting.choices[static_cast<std::size_t>(algorithm.number)], nodes.number(), ranks, bytes, cost.sends,
               cost.bytes_sent,
               algorithm.estimate(what, chooser.machine()).nanoseconds(what, chooser.machine()) / 1000);
  }
}

}  // namespace

int main() {
  constexpr int kMostRanks = 131'072, kOnEach = 16;
  coll::Chooser chooser(coll::Machine{settings::Values{}});
  fmt::print("operation\talgorithm\tnodes\tranks\tbytes\tmessages\tbytes sent\tus\n");
  for (int number = 0; number < coll::kOperations; ++number)
    for (const int on_each : {kMostRanks, kOnEach})
      for (const std::size_t bytes : {std::size_t{8}, std::size_t{1} << 20})
        for (int ranks = on_each == kOnEach ? 2 * kOnEach : 2; ranks <= kMostRanks; ranks *= 2)
          print(static_cast<coll::Operation>(number), ranks, on_each, bytes, chooser);
}
