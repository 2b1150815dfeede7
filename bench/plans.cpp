// What every algorithm of every collective sends, at 2 to 131,072 ranks: counted from its plan, without a message.
// For each a line: operation, algorithm, ranks, bytes, then what the process with the most of them sends, in messages
// and bytes, and how long the longest way is predicted to take, in us. draw_plans makes a picture of it.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "engine/coll/plans/any.hpp"
#include "settings/text.hpp"

using namespace antiphon;

namespace {

coll::Cost most_of_any(const coll::Case& what, const settings::Values& settings) {
  coll::Cost most;
  for (const int rank : std::set{0, 1, what.ranks / 2, what.ranks / 2 + 1, what.ranks - 1}) {
    coll::Counter counter(coll::View{{rank, what.ranks}});
    coll::plan_any(counter, what, settings);
    most.sends = std::max(most.sends, counter.cost().sends);
    most.bytes_sent = std::max(most.bytes_sent, counter.cost().bytes_sent);
  }
  return most;
}

}  // namespace

int main() {
  const coll::Machine machine{settings::Values{}};
  fmt::print("operation\talgorithm\tranks\tbytes\tmessages\tbytes sent\tus\n");
  for (int number = 0; number < coll::kOperations; ++number) {
    const auto operation = static_cast<coll::Operation>(number);
    const std::string name = std::string(coll::name_of(operation)) + "_algorithm";
    const settings::Setting& setting = settings::named(name, name);
    for (const coll::Candidate& algorithm : coll::candidates(operation))
      for (const std::size_t bytes : {std::size_t{8}, std::size_t{1} << 20})
        for (int ranks = 2; ranks <= 131'072; ranks *= 2) {
          const coll::Case what{.operation = operation, .ranks = ranks, .bytes = bytes, .elements = bytes / 8};
          if (!algorithm.can(what)) continue;
          settings::Values values;
          setting.set(values, algorithm.number);
          const coll::Cost cost = most_of_any(what, values);
          fmt::print("{}\t{}\t{}\t{}\t{}\t{}\t{:.4g}\n", coll::name_of(operation),
                     setting.choices[static_cast<std::size_t>(algorithm.number)], ranks, bytes, cost.sends,
                     cost.bytes_sent, algorithm.estimate(what, machine).nanoseconds(what, machine) / 1000);
        }
  }
}
