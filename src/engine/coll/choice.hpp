// Chooses the algorithm of a collective: the cheapest one that can carry it out (candidates.hpp), unless a setting or
// an info key of the communicator asks for another that can. All ranks of a communicator choose alike, because they
// choose from the same data.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "engine/coll/model.hpp"
#include "objects/nodes.hpp"

namespace antiphon::coll {

using objects::Nodes;

// Remembers the cheapest algorithm for each operation, number of ranks, and range of lengths: 0, 1, 2 to 3, 4 to 7,
// ... bytes. Belongs to Collectives; guarded by the lane's lock.
class Chooser {
 public:
  explicit Chooser(const Machine& machine) : machine_(machine) {}

  [[nodiscard]] const Machine& machine() const { return machine_; }
  // The cheapest algorithm for an operation that commutes, on one node, with at least as many elements as ranks.
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

// The choice for one communicator's plans. A value; what it was made from must outlive it.
class Choice {
 public:
  Choice() = default;
  // Chooses by predicted cost with the default constants, unless `settings` asks for an algorithm.
  explicit(false) Choice(const settings::Values& settings) : settings_(&settings) {}
  // `nodes`: null if all ranks run on one node.
  Choice(const settings::Values& settings, Chooser& chooser, const Nodes* nodes)
      : settings_(&settings), chooser_(&chooser), nodes_(nodes) {}

  // The algorithm, as a value of a setting such as allreduce_algorithm: never automatic.
  template <class Enum>
  [[nodiscard]] Enum among(Enum settings::Values::*setting, Case what) const {
    return static_cast<Enum>(number(static_cast<int>(settings_->*setting), what));
  }
  [[nodiscard]] std::size_t chunk_bytes(const Case& what, int processes) const {
    return machine().chunk_bytes(what, processes);
  }
  [[nodiscard]] int radix_bits() const { return machine().radix_bits; }
  [[nodiscard]] const Nodes& nodes() const { return *nodes_; }
  // Whether the ranks run on one node, or choose as if they did.
  [[nodiscard]] bool is_on_one_node() const { return nodes_ == nullptr; }
  // Chooses algorithms that combine in the order in which boards do, so that results do not depend on whether there
  // is a board yet.
  [[nodiscard]] Choice like_boards() const { return with(Manner::like_boards, nodes_); }
  // Chooses without regard to the length, and only among algorithms whose messages do not depend on it. So a rank
  // whose length is wrong sends and receives as many messages as others expect; all learn of the error, and nobody
  // waits for ever.
  [[nodiscard]] Choice of_any_length() const { return with(Manner::of_any_length, nodes_); }
  // For the parts of a hierarchical algorithm: among the ranks of a node, and among one rank of each node.
  [[nodiscard]] Choice within_node() const { return with(Manner::usual, nullptr); }
  [[nodiscard]] Choice between_nodes() const { return with(Manner::between_nodes, nullptr); }

 private:
  enum class Manner : std::uint8_t { usual, between_nodes, like_boards, of_any_length };

  static constexpr settings::Values kUsualSettings{};
  static constexpr Machine kUsualMachine{kUsualSettings};

  [[nodiscard]] const Machine& machine() const { return chooser_ ? chooser_->machine() : kUsualMachine; }
  [[nodiscard]] int number(int wanted, Case& what) const {
    if (wanted == 0 && chooser_ && !nodes_ && manner_ == Manner::usual && what.commutes &&
        what.elements >= static_cast<std::size_t>(what.ranks)) [[likely]]
      return chooser_->usual(what.operation, what.ranks, what.bytes);
    return unusual_number(wanted, what);
  }
  [[nodiscard]] int unusual_number(int wanted, Case& what) const;
  [[nodiscard]] Choice with(Manner manner, const Nodes* nodes) const {
    Choice other = *this;
    other.manner_ = manner;
    other.nodes_ = nodes;
    return other;
  }

  const settings::Values* settings_ = &kUsualSettings;
  Chooser* chooser_ = nullptr;
  const Nodes* nodes_ = nullptr;
  Manner manner_ = Manner::usual;
};

}  // namespace antiphon::coll
