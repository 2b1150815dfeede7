// A random program that makes, uses and frees communicators, for 2 to 8 ranks. It is one list of steps; each rank
// does those that concern it, in order, so none can hang. What every communicator must look like is known beforehand.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "transport/sim/fabric.hpp"

namespace antiphon::sim {

using Ranks = std::vector<int>;  // of the job

// What a communicator must be: its members in order, in two groups if it is an intercommunicator.
struct Family {
  std::array<Ranks, 2> groups;
  [[nodiscard]] bool inter() const { return !groups[1].empty(); }
};

struct Step {
  enum class Kind {
    dup,
    idup,     // begins; nobody uses the result before it is settled
    settle,   // waits for the idup whose result `family` is
    split,    // by color and key
    create,   // each group by its members, disjoint
    overlap,  // each group by its members, all at the same time, with a tag each
    connect,  // split in two (the first two results), which make an intercommunicator (the third)
    merge,
    traffic,
    collect,  // one collective after the other
    free,
  };
  Kind kind;
  int family;                  // that it starts from, an index into Program::families
  std::vector<int> results{};  // families; a group of `create` or `overlap` has its own
  // Of each rank of the job.
  std::vector<int> colors{}, keys{};
  std::array<int, 2> choice{};  // connect: the leaders, by their place; merge: whether high; collect: the root's side
  int shift = 0;                // traffic: to whom; collect: the root's place
  bool free_pending = false;    // traffic: the communicator is freed before the messages are waited for
};

struct CommProgram {
  int ranks;
  transport::sim::Conditions conditions;
  std::uint32_t context_block;   // communicators that a rank can lead before numbers are used again
  std::vector<Family> families;  // the first is everybody
  std::vector<Step> steps;
};

[[nodiscard]] CommProgram random_comm_program(std::uint64_t seed);

}  // namespace antiphon::sim
