// A word that stands for one collective on a board: its number, counted from 1, and what all ranks must agree on. Two
// ranks with equal titles have called the same collective with matching arguments; the title of a later collective is
// greater.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "engine/coll/operation.hpp"
#include "objects/op.hpp"

namespace antiphon::coll {

// What all ranks must agree on.
struct Agreed {
  Operation what;
  std::size_t bytes = 0;  // that each writing rank brings
  int root = 0;
  objects::Op::Kind op = {};  // of a reduction
};

class Title {
 public:
  static constexpr std::size_t kMany = 63;  // stands for all lengths that do not fit into a line

  static constexpr std::int64_t of(std::int64_t number, const Agreed& agreed) {
    return number << kBits | static_cast<std::int64_t>(agreed.op) << kOpAt |
           static_cast<std::int64_t>(agreed.what) << kOperationAt |
           static_cast<std::int64_t>(agreed.bytes) << kBytesAt | agreed.root;
  }
  [[nodiscard]] static constexpr std::int64_t number(std::int64_t title) { return title >> kBits; }
  [[nodiscard]] static constexpr Operation operation(std::int64_t title) {
    return static_cast<Operation>(title >> kOperationAt & ((1 << (kOpAt - kOperationAt)) - 1));
  }
  // "MPI_Reduce of 8 bytes with root 0 and MPI_SUM".
  [[nodiscard]] static std::string describe(std::int64_t title);
  // "MPI_Bcast".
  [[nodiscard]] static std::string procedure(std::int64_t title);

 private:
  static constexpr int kBytesAt = 6, kOperationAt = 12, kOpAt = 16, kBits = 20;
};

}  // namespace antiphon::coll
