// Hands out context numbers, the same for all members of a new communicator and used by no other that they share.
// Numbers are never used again: with two for each communicator there are enough for 2^31 of them, and a message for a
// communicator that was freed can never meet a new one.
#pragma once

#include <cstdint>

#include "engine/coll/collectives.hpp"

namespace antiphon::service {

class Contexts {
 public:
  explicit Contexts(std::uint32_t first_free) : next_(first_free) {}

  // Collective over `parent`. Disjoint children of one parent may share the number.
  [[nodiscard]] std::uint32_t agree(coll::Collectives& coll, objects::Comm& parent);

 private:
  std::uint32_t next_;
};

}  // namespace antiphon::service
