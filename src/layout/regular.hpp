// A layout of nested loops around runs of one length, described in 64 bytes, which one process can send to
// another, so that the other packs from memory that both have mapped. A column, a face or a block of a matrix has
// such a layout; an irregular list has not.
#pragma once

#include <array>
#include <optional>

#include "layout/node.hpp"

namespace antiphon::layout {

struct Regular {
  struct Loop {
    std::int64_t count = 1;
    std::int64_t stride = 0;
  };
  static constexpr std::size_t kLoops = 3;

  std::int64_t displacement = 0;
  std::int64_t block = 0;
  std::array<Loop, kLoops> loops = {};  // the outermost first

  // How many bytes it describes; nothing if it describes none, more than an address space has, or reaches further
  // than that. Ask first, if another process has sent it: the rest is only defined for those that describe some.
  [[nodiscard]] std::optional<std::uint64_t> bytes() const;
  // The bytes of memory that it reaches, from its place on.
  [[nodiscard]] std::int64_t low() const;
  [[nodiscard]] std::int64_t high() const;
};

// Nothing, if it takes more than that to say.
[[nodiscard]] std::optional<Regular> regular(const Placed& placed);
[[nodiscard]] Placed placed(const Regular& regular);

}  // namespace antiphon::layout
