// What one process has done so far. Each part of it adds to the counters that it is handed; any thread may add and
// read. What each of them counts: spec/pvars.toml, or counters/table.hpp.
// Generated from spec/ by gen/generate.py; change those.
#pragma once

#include <cstddef>

#include "base/counter.hpp"

namespace antiphon::counters {

using base::Counter;

struct Counters {
  Counter sleeps;
  Counter bytes_sent;
};

inline constexpr std::size_t kHowMany = 2;

}  // namespace antiphon::counters
