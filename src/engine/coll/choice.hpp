// Which algorithm carries out a collective, and what that is predicted to cost. Each algorithm has a line in the
// table of choice.cpp: what it needs, and what it costs by a model like LogGP, whose constants are settings. The
// cheapest one that can do it is chosen, unless a setting, or an info key of the communicator, asks for another that
// can. All ranks of a communicator choose alike, as what the choice is made from is the same for all of them.
//
// Pure functions, but for a Chooser, which keeps what it has found. Knows nothing of how algorithms work, so that
// antiphon-info can ask, too.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <unordered_map>

#include "engine/coll/operation.hpp"
#include "objects/nodes.hpp"
#include "settings/values.hpp"

namespace antiphon::coll {

using objects::Nodes;

// What is to be done.
struct Case {
  Operation operation;
  int ranks;
  std::size_t bytes = 0;  // of what a rank has in the beginning or the end: a vector, or a block for one rank
  std::size_t elements = std::numeric_limits<std::size_t>::max();  // of a vector; algorithms cut between them
  bool commutes = true;
  int nodes = 1;               // on which the ranks run, about as many on each
  bool nodes_in_order = true;  // the ranks of each follow one another
};

// What the model counts time by, in nanoseconds.
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
  // Into what chunks so many bytes are cut that follow each other over so many processes.
  [[nodiscard]] std::size_t chunk_bytes(const Case& what, int processes) const;

  Network near, far;  // on one node, and between nodes
  double gap;         // between two messages that a process sends or receives one after the other
  double turn;        // until another rank has its turn where ranks share cores
  double copied_byte, combined_byte;
  std::size_t chunk;  // 0: the fastest
  int radix_bits;     // of k-nomial trees
  int cores;          // for all ranks of a node; 0: one for each

 private:
  static constexpr double nanoseconds(std::chrono::nanoseconds time) { return static_cast<double>(time.count()); }
  static constexpr double a_byte(std::chrono::nanoseconds mebibyte) { return nanoseconds(mebibyte) / (1 << 20); }
};

// Messages and bytes on the longest way of processes that wait for one another, and of all processes together.
struct Estimate {
  double steps = 0;     // messages on the way
  double messages = 0;  // more of them that somebody on the way sends or receives before he goes on
  double bytes = 0, copied = 0, combined = 0;
  struct OfAll {
    double messages = 0, bytes = 0, copied = 0, combined = 0;
  } all = {};
  double parts = 0;  // nanoseconds of collectives that it is made of

  [[nodiscard]] double nanoseconds(const Case& what, const Machine& machine) const;
};

// An algorithm of an operation: its number is the value of the operation's setting.
struct Candidate {
  int number;
  Estimate (*estimate)(const Case& what, const Machine& machine);
  enum Needs : std::uint8_t {
    nothing = 0,
    commuting = 1,             // the operation does
    element_a_rank = 2,        // the vector has at least as many elements as there are ranks
    power_of_two = 4,          // of ranks
    several_nodes = 8,         // with several ranks on some of them
    nodes_in_order = 16,       // the ranks of each follow one another
    order_kept_by_nodes = 32,  // so that what does not commute is combined in order; or it does
    request = 64               // somebody has to ask for it: the model thinks too well of it
  };
  std::uint8_t needs = nothing;

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

// Remembers, for each operation and number of ranks, what is the cheapest for 0, 1, 2 to 3, 4 to 7, ... bytes.
// Belongs to the Process; guarded by the lane's lock.
class Chooser {
 public:
  explicit Chooser(const Machine& machine) : machine_(machine) {}

  [[nodiscard]] const Machine& machine() const { return machine_; }
  // Of an operation that commutes, on one node, with elements enough.
  [[nodiscard]] int usual(Operation operation, int ranks, std::size_t bytes) {
    const Column*& last = last_[static_cast<std::size_t>(operation)];
    if (!last || last->ranks != ranks) [[unlikely]]
      last = &column(operation, ranks);
    return last->numbers[static_cast<std::size_t>(std::bit_width(bytes))];
  }

 private:
  struct Column {
    int ranks;
    std::array<std::uint8_t, 65> numbers;
  };
  const Column& column(Operation operation, int ranks);

  Machine machine_;
  std::array<const Column*, kOperations> last_{};
  std::array<std::unordered_map<int, Column>, kOperations> columns_;
};

// Of one communicator, for its plans. A value; what it was made from outlives it.
class Choice {
 public:
  Choice() = default;
  // By predicted cost with usual constants, if `settings` does not say otherwise.
  explicit(false) Choice(const settings::Values& settings) : settings_(&settings) {}
  // `nodes`: null where all ranks run on one.
  Choice(const settings::Values& settings, Chooser& chooser, const Nodes* nodes)
      : settings_(&settings), chooser_(&chooser), nodes_(nodes) {}

  // The value of a setting such as allreduce_algorithm that is to be followed: never automatic.
  template <class Enum>
  [[nodiscard]] Enum among(Enum settings::Values::*setting, Case what) const {
    return static_cast<Enum>(number(static_cast<int>(settings_->*setting), what));
  }
  [[nodiscard]] std::size_t chunk_bytes(const Case& what, int processes) const {
    return machine().chunk_bytes(what, processes);
  }
  [[nodiscard]] int radix_bits() const { return machine().radix_bits; }
  [[nodiscard]] const Nodes& nodes() const { return *nodes_; }
  // Combines as boards do, so that it does not matter for the result whether there is one yet.
  [[nodiscard]] Choice like_boards() const {
    Choice alike = *this;
    alike.is_like_boards_ = true;
    return alike;
  }
  // For the parts of a hierarchical algorithm: among the ranks of a node, and among one of each.
  [[nodiscard]] Choice within_node() const { return of_part(false); }
  [[nodiscard]] Choice between_nodes() const { return of_part(true); }

 private:
  static constexpr settings::Values kUsualSettings{};
  static constexpr Machine kUsualMachine{kUsualSettings};

  [[nodiscard]] const Machine& machine() const { return chooser_ ? chooser_->machine() : kUsualMachine; }
  [[nodiscard]] int number(int wanted, Case& what) const {
    if (wanted == 0 && chooser_ && !nodes_ && !is_between_nodes_ && !is_like_boards_ && what.commutes &&
        what.elements >= static_cast<std::size_t>(what.ranks)) [[likely]]
      return chooser_->usual(what.operation, what.ranks, what.bytes);
    return unusual_number(wanted, what);
  }
  [[nodiscard]] int unusual_number(int wanted, Case& what) const;
  [[nodiscard]] Choice of_part(bool between_nodes) const {
    Choice part = *this;
    part.nodes_ = nullptr;
    part.is_between_nodes_ = between_nodes;
    return part;
  }

  const settings::Values* settings_ = &kUsualSettings;
  Chooser* chooser_ = nullptr;
  const Nodes* nodes_ = nullptr;
  bool is_between_nodes_ = false;
  bool is_like_boards_ = false;
};

}  // namespace antiphon::coll
