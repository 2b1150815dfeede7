#include "layout/uncached.hpp"

#if defined(__x86_64__)

#include <immintrin.h>

#include "base/cache_line.hpp"
#include "layout/block_copies.hpp"

namespace antiphon::layout {

namespace {

constexpr std::int64_t kCacheLine{base::kCacheLine};

// A whole number of lines, to where lines begin. Stores of half a line or less meet in a buffer of the core's, which
// has few and may have to send one to memory before it is full: the wider the store, the faster
// (docs/performance.md).
[[gnu::target("avx2")]] void stream_lines_avx2(std::byte* to, const std::byte* from, std::int64_t bytes) {
  for (std::int64_t at = 0; at < bytes; at += 32)
    _mm256_stream_si256(reinterpret_cast<__m256i*>(to + at),
                        _mm256_loadu_si256(reinterpret_cast<const __m256i_u*>(from + at)));
}
[[gnu::target("avx512f")]] void stream_lines_avx512(std::byte* to, const std::byte* from, std::int64_t bytes) {
  for (std::int64_t at = 0; at < bytes; at += kCacheLine)
    _mm512_stream_si512(reinterpret_cast<__m512i*>(to + at), _mm512_loadu_si512(from + at));
}

using StreamLines = void (*)(std::byte* to, const std::byte* from, std::int64_t bytes);

// Only whole lines of a row are streamed: half of one would cost as much as the line. The hardware needs a few lines
// to see where a row goes on, so those of the next one are asked for.
template <StreamLines kStream>
void stream_rows(std::byte* packed, const std::byte* memory, std::int64_t count, std::int64_t stride,
                 std::int64_t block) {
  constexpr std::int64_t kAhead = 4;  // lines
  for (; count != 0; --count, packed += block, memory += stride) {
    if (count != 1)
      for (std::int64_t line = 0; line < kAhead; ++line) __builtin_prefetch(memory + stride + line * kCacheLine);
    const auto to_line = static_cast<std::int64_t>(-reinterpret_cast<std::uintptr_t>(packed) % kCacheLine);
    std::memcpy(packed, memory, static_cast<std::size_t>(to_line));
    const std::int64_t rest = (block - to_line) % kCacheLine;
    kStream(packed + to_line, memory + to_line, block - to_line - rest);
    std::memcpy(packed + block - rest, memory + block - rest, static_cast<std::size_t>(rest));
  }
}

template <class Block>
[[gnu::target("prfchw")]] void unpack_far(const std::byte* packed, std::byte* memory, std::int64_t count,
                                          std::int64_t stride, std::int64_t block) {
  constexpr std::int64_t kAhead = 12;  // blocks
  for (; count > kAhead; --count, packed += block, memory += stride) {
    __builtin_prefetch(memory + kAhead * stride, 1);
    Block::copy(memory, packed, block);
  }
  for (; count != 0; --count, packed += block, memory += stride) Block::copy(memory, packed, block);
}

}  // namespace

void improve_uncached(StridedKernel& kernel, std::int64_t block, std::int64_t stride, Vectors vectors) {
  constexpr std::int64_t kLongRow = 512;  // bytes, of which most are whole lines
  if (vectors >= Vectors::avx2 && block >= kLongRow)
    kernel.pack_streamed =
        vectors == Vectors::avx512 ? stream_rows<stream_lines_avx512> : stream_rows<stream_lines_avx2>;
  // Every CPU with AVX2 knows the instruction, or takes it for none.
  if (vectors >= Vectors::avx2 && block < kCacheLine && (stride >= kCacheLine || stride <= -kCacheLine))
    with_copy(block, [&](auto copy) { kernel.unpack_far = unpack_far<decltype(copy)>; });
}

void settle() { _mm_sfence(); }

}  // namespace antiphon::layout

#else

namespace antiphon::layout {

void improve_uncached(StridedKernel&, std::int64_t, std::int64_t, Vectors) {}
void settle() {}

}  // namespace antiphon::layout

#endif
