// How one block is copied, by its length. Included by the sources of kernels only, whose loops inline it. kRows tells
// blocks long enough to be rows of something.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/cache_line.hpp"
#include "base/copy.hpp"
#include "base/cpu_maker.hpp"

#define ANTIPHON_INLINE [[gnu::always_inline]] inline

namespace antiphon::layout {

inline constexpr std::int64_t kLongBlock = 1024;  // bytes, from which a call is as good as any loop

template <std::size_t Bytes>
struct Exactly {
  static constexpr bool kRows = Bytes >= 32;
  ANTIPHON_INLINE static void copy(std::byte* to, const std::byte* from, std::int64_t) {
    std::memcpy(to, from, Bytes);
  }
};

// Between Bytes and twice as many: two moves, which overlap.
template <std::size_t Bytes>
struct UpToTwice {
  static constexpr bool kRows = Bytes >= 32;
  ANTIPHON_INLINE static void copy(std::byte* to, const std::byte* from, std::int64_t block) {
    const std::int64_t rest = block - static_cast<std::int64_t>(Bytes);
    std::memcpy(to, from, Bytes);
    std::memcpy(to + rest, from + rest, Bytes);
  }
};

// At least Step; the last step overlaps the one before.
template <std::size_t Step>
struct InSteps {
  static constexpr bool kRows = true;
  ANTIPHON_INLINE static void copy(std::byte* to, const std::byte* from, std::int64_t block) {
    constexpr auto kStep = static_cast<std::int64_t>(Step);
    const std::int64_t rest = block - kStep;
    for (std::int64_t done = 0; done < rest; done += kStep) std::memcpy(to + done, from + done, Step);
    std::memcpy(to + rest, from + rest, Step);
  }
};

struct Long {
  static constexpr bool kRows = true;
  ANTIPHON_INLINE static void copy(std::byte* to, const std::byte* from, std::int64_t block) {
    base::copy_bytes(to, from, static_cast<std::size_t>(block));
  }
};

// Calls use(how to copy such a block).
template <class Use>
auto with_copy(std::int64_t block, Use&& use) {
  switch (block) {
    case 1:
      return use(Exactly<1>{});
    case 2:
      return use(Exactly<2>{});
    case 4:
      return use(Exactly<4>{});
    case 8:
      return use(Exactly<8>{});
    case 16:
      return use(Exactly<16>{});
    case 32:
      return use(Exactly<32>{});
    case 64:
      return use(Exactly<64>{});
    default:
      break;
  }
  if (block < 4) return use(UpToTwice<2>{});
  if (block < 8) return use(UpToTwice<4>{});
  if (block < 16) return use(UpToTwice<8>{});
  if (block < 32) return use(UpToTwice<16>{});
  if (block < kLongBlock) return use(InSteps<32>{});
  return use(Long{});
}

// Rows of a matrix that is larger than the caches come at the speed of memory only if several are under way: the
// hardware looks ahead within a page, not from row to row. Where rows are cached, asking for them costs more than it
// saves; and Intel's CPUs are faster without it at every size.
inline bool far_apart(std::int64_t count, std::int64_t stride) {
  constexpr std::int64_t kCached = std::int64_t{2} << 20;  // bytes
  if (base::is_intel()) return false;
  const std::int64_t apart = stride < 0 ? -stride : stride;
  return apart >= 1024 && count > kCached / apart;
}

inline void pack_far_rows(std::byte* packed, const std::byte* memory, std::int64_t count, std::int64_t stride,
                          std::int64_t block) {
  constexpr std::int64_t kAhead = 8;  // rows
  for (std::int64_t i = 0; i < count; ++i, packed += block, memory += stride) {
    if (i + kAhead < count)
      for (std::int64_t at = 0; at < block; at += std::int64_t{base::kCacheLine})
        __builtin_prefetch(memory + kAhead * stride + at);
    base::copy_bytes(packed, memory, static_cast<std::size_t>(block));
  }
}

}  // namespace antiphon::layout
