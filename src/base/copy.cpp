#include "base/copy.hpp"

#include "base/cpu_maker.hpp"

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace antiphon::base {

#ifdef __x86_64__
namespace {

// AMD's Zen 3 and 4 report that `rep movsb` is fast, so C libraries use it for copies. But if the target's offset in
// its page is a little greater than the source's, it takes 2 to 30 times as long as a loop. That is usual between
// memory of malloc and this library's.
bool repeats_slowly() { return is_amd_19h() && __builtin_cpu_supports("avx2"); }

// Copies longer than a core's caches are as fast with memcpy, which bypasses the caches where that is better.
constexpr std::size_t kMostLooped = std::size_t{1} << 20;

constexpr std::size_t kUnit = sizeof(__m256i);

[[gnu::target("avx2")]] __m256i load(const std::byte* from) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
}
[[gnu::target("avx2")]] void store(std::byte* to, __m256i value) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), value);
}

// The units in between are aligned in the target; the first and the last may overlap them.
[[gnu::target("avx2")]] void copy_in_units(std::byte* to, const std::byte* from, std::size_t bytes) noexcept {
  const std::size_t end = bytes - kUnit;
  const __m256i first = load(from), last = load(from + end);
  store(to, first);
#pragma GCC unroll 4
  for (std::size_t at = kUnit - reinterpret_cast<std::uintptr_t>(to) % kUnit; at < end; at += kUnit)
    store(to + at, load(from + at));
  store(to + end, last);
}

}  // namespace
#endif

void copy_long(std::byte* to, const std::byte* from, std::size_t bytes) noexcept {
#ifdef __x86_64__
  if (bytes < kMostLooped && repeats_slowly()) return copy_in_units(to, from, bytes);
#endif
  std::memcpy(to, from, bytes);
}

}  // namespace antiphon::base
