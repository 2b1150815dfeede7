// The value of every setting, which begins as its default: what a process is handed when it starts, and does not
// change any more. antiphon-info --settings lists what each of them does.
// Generated from spec/ by gen/generate.py; change those.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace antiphon::settings {

enum class WayTaken : std::uint8_t { automatic, on, off, two_sided };

struct Values {
  int spin_count = 7;
  std::size_t eager_limit = 0;
  WayTaken way_taken = WayTaken::automatic;
  std::chrono::nanoseconds turn{200000};
};

}  // namespace antiphon::settings
