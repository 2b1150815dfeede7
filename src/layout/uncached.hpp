// Packs and unpacks data that is larger than the caches, where time is spent on cache lines on their way from and
// to memory.
//
// Packing: a store to a line that is not cached first fetches the line. Non-temporal stores write whole lines
// without that, which saves a third of the traffic of a copy. But they write to memory what a cache could have
// kept, so they are for long messages only. Others see the data after settle().
//
// Unpacking: stores enter the cache in order, so each waits for the line, and the address translation, of the one
// before. Prefetched lines arrive several at a time.
#pragma once

#include "base/cpu_maker.hpp"
#include "layout/kernels.hpp"

namespace antiphon::layout {

// Bytes packed in one go, from which streaming is faster. On Intel's CPUs (Sapphire Rapids: L2 of 2 MiB, a last level
// that is slow to write to) it wins from 1 MiB on, 10 to 16 GB/s; others keep more at hand.
[[nodiscard]] inline std::int64_t streamed_from() {
  return base::is_intel() ? std::int64_t{1} << 20 : std::int64_t{8} << 20;
}

// How many blocks, with a line for each, are more than the caches next to a core hold: 1 MiB of lines.
inline constexpr std::int64_t kFarBlocks = std::int64_t{16} << 10;

// Fills in what there is for blocks of this length.
void improve_uncached(StridedKernel& kernel, std::int64_t block, std::int64_t stride, Vectors vectors);

// Makes streamed stores visible to others.
void settle();

}  // namespace antiphon::layout
