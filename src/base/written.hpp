// How what another core is to read is written.
#pragma once

#include <cstdint>

namespace antiphon::base {

// Into the caches of the writer's core, or past these, into memory. Cores that share a cache pass lines there; of
// cores far apart one takes several times as long for a line that the other has changed as for one from memory.
enum class Written : std::uint8_t { as_ever, past_caches };

}  // namespace antiphon::base
