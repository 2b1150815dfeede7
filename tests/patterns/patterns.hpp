// Small parallel programs that know what must come of them. Each is one function that every rank runs, right for any
// number of ranks, and that throws where something is wrong.
#pragma once

#include <vector>

#include "party.hpp"

namespace antiphon::patterns {

struct Pattern {
  const char* name;
  void (*run)(Party&);
};

[[nodiscard]] const std::vector<Pattern>& all();

}  // namespace antiphon::patterns
