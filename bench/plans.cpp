// What every algorithm of every collective sends, on 2 to 131,072 ranks: counted from its plan, without sending
// messages. On one node, and on nodes of 16 ranks. Prints a line for each: operation, algorithm, nodes, ranks, bytes;
// then messages and bytes sent by the process that sends the most, and the predicted time of the critical path in us.
// draw_plans draws it.
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

// Prints a line for each algorithm that is possible with `ranks` ranks, `on_each` of them on each node.
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
