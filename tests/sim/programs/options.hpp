// The command line of sim_run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "transport/sim/fabric.hpp"

namespace antiphon::sim {

struct Options {
  std::vector<int> ranks{2};
  int nodes = 1;  // over which ranks are dealt in blocks
  std::uint64_t first_seed = 1, last_seed = 3;
  std::vector<std::string> conditions;  // NAME=VALUE, in place of what the seed says
  std::optional<std::string> expected;  // a line that all ranks together must print, and nothing else
  // Memory that fails in MPI calls (programs/failing_memory.hpp): each seed is run once for every so many of its
  // allocations, which fails, and those after it until so many calls have failed. 0: none.
  unsigned fail_each = 0, fail_calls = 0;
  std::uint64_t fail_nth = 0;  // this one, to replay a run
  unsigned timeout = 60;       // seconds for each seed
  bool keep_going = false;
  bool show_output = false;
  bool here = false;  // in this process, for debuggers
  std::vector<std::string> command;

  // What replays one run, in which the nth allocation failed.
  [[nodiscard]] std::string replay(int number_of_ranks, std::uint64_t seed, std::uint64_t nth) const;
  [[nodiscard]] bool memory_fails() const { return fail_each != 0 || fail_nth != 0; }
  [[nodiscard]] transport::sim::Conditions conditions_of(std::uint64_t seed) const;
  [[nodiscard]] transport::sim::Nodes nodes_of(int number_of_ranks, std::uint64_t seed) const;
};

extern const char* const kUsage;
// Throws std::invalid_argument with a sentence.
[[nodiscard]] Options parse_options(int argc, char** argv);

}  // namespace antiphon::sim
