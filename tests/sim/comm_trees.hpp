// Runs a CommProgram in a World: every communicator must have the members that the program says, all members must
// have the same context and nobody two communicators with one, messages must arrive where they were sent, and nothing
// may be left at the end.
#pragma once

#include <cstdint>
#include <string>

namespace antiphon::sim {

struct CommVerdict {
  std::string complaint;  // empty: all was as it should be
  std::size_t communicators = 0;
  std::size_t messages = 0;
  std::size_t reused = 0;  // contexts that had been used before
};

[[nodiscard]] CommVerdict run_comm_trees(std::uint64_t seed);

}  // namespace antiphon::sim
