// How memory that another core will read is written: through the caches, or bypassing them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/preference.hpp"

namespace antiphon::base {

// Into the caches of the writer's core, or past these, into memory. Cores that share a cache pass lines there; of
// cores far apart one takes several times as long for a line that the other has changed as for one from memory.
enum class Written : std::uint8_t { as_ever, past_caches };
inline constexpr std::size_t kLeastPastCaches = 2048;  // shorter pieces are written as ever

// Of one of many pieces: as its reader advises, or not, now and then, so that this knows what the other way costs.
struct WritingStyle {
  Written how = Written::as_ever;
  bool is_timed = false;

  [[nodiscard]] static constexpr WritingStyle of(Written advised, std::uint32_t number) {
    const auto occasion = Occasion::of(number);
    return {occasion.is_trial ? Preference<Written>::other(advised) : advised, occasion.is_timed};
  }
};

// Bytes to be left empty between a piece of so many and the next, for a reader who may be right behind the writer:
// its core fetches by itself what lies behind that which it reads, and so would take the lines that are about to be
// written. What comes from memory gains by that, and the next short piece has been written by then.
[[nodiscard]] constexpr std::size_t gap_behind(std::size_t bytes, Written how) {
  constexpr std::size_t kFetchedAhead = 1024, kLeast = 1024;
  return how == Written::as_ever && bytes >= kLeast ? kFetchedAhead : 0;
}

}  // namespace antiphon::base
