#include "layout/uncached.hpp"

#if defined(__x86_64__)

#include <immintrin.h>

#include "layout/block_copies.hpp"

namespace antiphon::layout {

namespace {

constexpr std::int64_t kLine = 64;

ANTIPHON_INLINE void stream_line(std::byte* to, const std::byte* from) {
  for (std::int64_t at = 0; at < kLine; at += 16)
    _mm_stream_si128(reinterpret_cast<__m128i*>(to + at),
                     _mm_loadu_si128(reinterpret_cast<const __m128i_u*>(from + at)));
}

// Only whole lines of a row are streamed: half of one would cost as much as the line. The hardware needs a few lines
// to see where a row goes on, so those of the next one are asked for.
void stream_rows(std::byte* packed, const std::byte* memory, std::int64_t count, std::int64_t stride,
                 std::int64_t block) {
  constexpr std::int64_t kAhead = 4;  // lines
  for (; count != 0; --count, packed += block, memory += stride) {
    if (count != 1)
      for (std::int64_t line = 0; line < kAhead; ++line) __builtin_prefetch(memory + stride + line * kLine);
    const auto to_line = static_cast<std::int64_t>(-reinterpret_cast<std::uintptr_t>(packed) % kLine);
    std::memcpy(packed, memory, static_cast<std::size_t>(to_line));
    std::int64_t at = to_line;
    for (; at + kLine <= block; at += kLine) stream_line(packed + at, memory + at);
    std::memcpy(packed + at, memory + at, static_cast<std::size_t>(block - at));
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
  if (block >= kLongRow) kernel.pack_streamed = stream_rows;
  // Every CPU with AVX2 knows the instruction, or takes it for none.
  if (vectors >= Vectors::avx2 && block < kLine && (stride >= kLine || stride <= -kLine))
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
