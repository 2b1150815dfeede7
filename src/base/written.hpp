// How memory that another core will read is written: through the caches, or bypassing them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/preference.hpp"

namespace antiphon::base {

// as_ever: through the caches of the writer's core. past_caches: with stores that bypass them. Cores that share a
// cache exchange lines there. For cores far apart, a line that the other core has changed takes several times as long
// to fetch as one from memory.
enum class Written : std::uint8_t { as_ever, past_caches };
inline constexpr std::size_t kLeastPastCaches = 2048;  // shorter pieces are always written through the caches

// How one of many pieces is written: as its reader advises, but now and then the other way, so that the reader learns
// what that costs.
struct WritingStyle {
  Written how = Written::as_ever;
  bool is_timed = false;

  [[nodiscard]] static constexpr WritingStyle of(Written advised, std::uint32_t number) {
    const auto occasion = Occasion::of(number);
    return {occasion.is_trial ? Preference<Written>::other(advised) : advised, occasion.is_timed};
  }
};

// How many bytes to leave empty between a piece of this length and the next. The core of a reader close behind the
// writer prefetches what follows the data that it reads, and would take the lines that the writer is about to write.
// Pieces that bypass the caches gain by that prefetching, and after a short piece the next one has been written by
// then.
[[nodiscard]] constexpr std::size_t gap_behind(std::size_t bytes, Written how) {
  constexpr std::size_t kFetchedAhead = 1024, kLeast = 1024;
  return how == Written::as_ever && bytes >= kLeast ? kFetchedAhead : 0;
}

}  // namespace antiphon::base
