// Predicts what a collective costs: messages and bytes on the critical path, by a model like LogGP, whose constants
// are settings. Pure.
#pragma once

#include <bit>
#include <chrono>
#include <cstddef>
#include <limits>

#include "engine/coll/operation.hpp"
#include "settings/values.hpp"

namespace antiphon::coll {

// One call of a collective.
struct Case {
  Operation operation;
  int ranks;
  std::size_t bytes = 0;  // what a rank has at the beginning or the end: a vector, or a block for one rank
  std::size_t elements = std::numeric_limits<std::size_t>::max();  // of a vector; algorithms cut between them
  bool commutes = true;
  int nodes = 1;               // where the ranks run, about as many on each
  bool nodes_in_order = true;  // the ranks of each node are consecutive
  bool length_is_sure = true;  // else ranks may differ in it, and must send as many messages all the same
};

// The constants of the model, in nanoseconds.
struct Machine {
  struct Network {
    double latency;  // from the sending of a short message to its receipt
    double byte;     // for each byte of it
  };
  explicit constexpr Machine(const settings::Values& settings, int usable_cores = 0)
      : near{nanoseconds(settings.cost_latency), a_byte(settings.cost_transfer_1m)},
        far{nanoseconds(settings.cost_far_latency), a_byte(settings.cost_far_transfer_1m)},
        gap(nanoseconds(settings.cost_gap)),
        turn(nanoseconds(settings.cost_turn)),
        copied_byte(a_byte(settings.cost_copy_1m)),
        combined_byte(a_byte(settings.cost_combine_1m)),
        chunk(settings.pipeline_chunk),
        radix_bits(static_cast<int>(std::bit_width(static_cast<unsigned>(settings.tree_radix))) - 1),
        cores(usable_cores) {}

  [[nodiscard]] const Network& network(const Case& what) const { return what.nodes > 1 ? far : near; }
  [[nodiscard]] bool crowded(const Case& what) const { return cores != 0 && what.nodes == 1 && what.ranks > cores; }
  // The length of the chunks in which the data goes from process to process, over `processes` of them.
  [[nodiscard]] std::size_t chunk_bytes(const Case& what, int processes) const;

  Network near, far;  // on one node, and between nodes
  double gap;         // between two messages that a process sends or receives one after the other
  double turn;        // until another rank has its turn where ranks share cores
  double copied_byte, combined_byte;
  std::size_t chunk;  // 0: the length that costs least
  int radix_bits;     // of k-nomial trees
  int cores;          // for all ranks of a node; 0: one for each

 private:
  static constexpr double nanoseconds(std::chrono::nanoseconds time) { return static_cast<double>(time.count()); }
  static constexpr double a_byte(std::chrono::nanoseconds mebibyte) { return nanoseconds(mebibyte) / (1 << 20); }
};

// Messages and bytes on the critical path, a chain of processes that wait for one another, and of all processes
// together.
struct Estimate {
  double steps = 0;     // messages on the path, each sent after the one before
  double messages = 0;  // other messages that a process on the path sends or receives before it goes on
  double bytes = 0, copied = 0, combined = 0;
  struct OfAll {
    double messages = 0, bytes = 0, copied = 0, combined = 0;
  } all = {};
  double parts = 0;  // nanoseconds of the collectives that this one consists of

  [[nodiscard]] double nanoseconds(const Case& what, const Machine& machine) const;
};

}  // namespace antiphon::coll
