#include "layout/kernels_x86.hpp"

#if defined(__x86_64__)

#include <immintrin.h>

#include <bit>

#include "layout/block_copies.hpp"

// A function's instructions are chosen by an attribute, which a template cannot vary: so what exists for both sets is
// written twice.
#define ANTIPHON_AVX2 [[gnu::target("avx2")]]
#define ANTIPHON_AVX512 [[gnu::target("avx512f,avx512bw,avx512vl,avx512vbmi2,bmi2")]]

namespace antiphon::layout::x86 {

namespace {

// ---- Blocks of a vector and more ----

ANTIPHON_AVX2 ANTIPHON_INLINE void copy_avx2(std::byte* to, const std::byte* from, std::int64_t block) {
  const std::int64_t rest = block - 32;
  for (std::int64_t at = 0; at < rest; at += 32)
    _mm256_storeu_si256(reinterpret_cast<__m256i_u*>(to + at),
                        _mm256_loadu_si256(reinterpret_cast<const __m256i_u*>(from + at)));
  _mm256_storeu_si256(reinterpret_cast<__m256i_u*>(to + rest),
                      _mm256_loadu_si256(reinterpret_cast<const __m256i_u*>(from + rest)));
}

ANTIPHON_AVX512 ANTIPHON_INLINE void copy_avx512(std::byte* to, const std::byte* from, std::int64_t block) {
  const std::int64_t rest = block - 64;
  for (std::int64_t at = 0; at < rest; at += 64) _mm512_storeu_si512(to + at, _mm512_loadu_si512(from + at));
  _mm512_storeu_si512(to + rest, _mm512_loadu_si512(from + rest));
}

ANTIPHON_AVX2 void pack_rows_avx2(std::byte* packed, const std::byte* memory, std::int64_t count, std::int64_t stride,
                                  std::int64_t block) {
  if (far_apart(count, stride)) [[unlikely]]
    return pack_far_rows(packed, memory, count, stride, block);
  for (; count != 0; --count, packed += block, memory += stride) copy_avx2(packed, memory, block);
}
ANTIPHON_AVX2 void unpack_rows_avx2(const std::byte* packed, std::byte* memory, std::int64_t count,
                                    std::int64_t stride, std::int64_t block) {
  for (; count != 0; --count, packed += block, memory += stride) copy_avx2(memory, packed, block);
}
ANTIPHON_AVX512 void pack_rows_avx512(std::byte* packed, const std::byte* memory, std::int64_t count,
                                      std::int64_t stride, std::int64_t block) {
  if (far_apart(count, stride)) [[unlikely]]
    return pack_far_rows(packed, memory, count, stride, block);
  for (; count != 0; --count, packed += block, memory += stride) copy_avx512(packed, memory, block);
}
ANTIPHON_AVX512 void unpack_rows_avx512(const std::byte* packed, std::byte* memory, std::int64_t count,
                                        std::int64_t stride, std::int64_t block) {
  for (; count != 0; --count, packed += block, memory += stride) copy_avx512(memory, packed, block);
}

template <class Displacement>
ANTIPHON_AVX2 void pack_list_avx2(std::byte* packed, const std::byte* memory, const Displacement* displacements,
                                  std::int64_t count, std::int64_t block) {
  for (; count != 0; --count, packed += block) copy_avx2(packed, memory + *displacements++, block);
}
template <class Displacement>
ANTIPHON_AVX2 void unpack_list_avx2(const std::byte* packed, std::byte* memory, const Displacement* displacements,
                                    std::int64_t count, std::int64_t block) {
  for (; count != 0; --count, packed += block) copy_avx2(memory + *displacements++, packed, block);
}
template <class Displacement>
ANTIPHON_AVX512 void pack_list_avx512(std::byte* packed, const std::byte* memory, const Displacement* displacements,
                                      std::int64_t count, std::int64_t block) {
  for (; count != 0; --count, packed += block) copy_avx512(packed, memory + *displacements++, block);
}
template <class Displacement>
ANTIPHON_AVX512 void unpack_list_avx512(const std::byte* packed, std::byte* memory, const Displacement* displacements,
                                        std::int64_t count, std::int64_t block) {
  for (; count != 0; --count, packed += block) copy_avx512(memory + *displacements++, packed, block);
}

// ---- Every second word: two vectors in, one out ----

enum class Stores { plain, streamed };

template <Stores kStores>
ANTIPHON_AVX512 ANTIPHON_INLINE void store(std::byte* packed, __m512i vector) {
  if (kStores == Stores::streamed)
    _mm512_stream_si512(reinterpret_cast<__m512i*>(packed), vector);
  else
    _mm512_storeu_si512(packed, vector);
}

// What the second cache has gets to the first while others are moved.
template <Stores kStores>
ANTIPHON_INLINE void ask_ahead(const std::byte* packed, const std::byte* memory) {
  constexpr std::int64_t kAhead = 4;
  if (kStores == Stores::plain) __builtin_prefetch(packed + kAhead * 64, 1);
  __builtin_prefetch(memory + kAhead * 128);
  __builtin_prefetch(memory + kAhead * 128 + 64);
}

// Which of the 32 ints in two vectors make one. From the middle of a word on, it begins and ends with half of one.
template <std::size_t Word>
ANTIPHON_AVX512 ANTIPHON_INLINE __m512i every_second(bool from_middle) {
  return Word == 4     ? _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0)
         : Word == 8   ? _mm512_set_epi32(29, 28, 25, 24, 21, 20, 17, 16, 13, 12, 9, 8, 5, 4, 1, 0)
         : from_middle ? _mm512_set_epi32(31, 30, 25, 24, 23, 22, 17, 16, 15, 14, 9, 8, 7, 6, 1, 0)
                       : _mm512_set_epi32(27, 26, 25, 24, 19, 18, 17, 16, 11, 10, 9, 8, 3, 2, 1, 0);
}

// `count` times 64 bytes.
template <Stores kStores>
ANTIPHON_AVX512 ANTIPHON_INLINE void pack_vectors(std::byte* packed, const std::byte* memory, std::int64_t count,
                                                  __m512i ints) {
  for (; count > 0; --count, packed += 64, memory += 128) {
    ask_ahead<kStores>(packed, memory);
    store<kStores>(packed,
                   _mm512_permutex2var_epi32(_mm512_loadu_si512(memory), ints, _mm512_loadu_si512(memory + 64)));
  }
}

// As pack_vectors, of memory where ints lie, but each line is loaded as a whole and once: a load from two costs as
// much as two. The last ends up to 60 bytes after the 128 * count of memory.
template <Stores kStores>
ANTIPHON_AVX512 ANTIPHON_INLINE void pack_lines(std::byte* packed, const std::byte* memory, std::int64_t count,
                                                __m512i ints) {
  const auto before = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(memory) % 64) / 4;  // in its line
  const __m512i in_three = _mm512_add_epi32(ints, _mm512_set1_epi32(static_cast<int>(before)));
  const __mmask16 in_third = _mm512_cmpge_epi32_mask(in_three, _mm512_set1_epi32(32));
  const __m512i stay = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
  const __m512i with_third = _mm512_mask_sub_epi32(stay, in_third, in_three, _mm512_set1_epi32(16));
  const std::byte* line = memory - before * 4;
  __m512i first = _mm512_maskz_loadu_epi32(static_cast<__mmask16>(0xffff << before), line);
  for (; count > 0; --count, packed += 64, line += 128) {
    ask_ahead<kStores>(packed, line);
    const __m512i second = _mm512_load_si512(line + 64), third = _mm512_load_si512(line + 128);
    const __m512i of_two = _mm512_permutex2var_epi32(first, in_three, second);
    store<kStores>(packed, _mm512_permutex2var_epi32(of_two, with_third, third));
    first = third;
  }
}

// `count` times 64 bytes, by lines where that is worth it, but for the last: its third line may end where memory is
// not the program's.
template <std::size_t Word, Stores kStores>
ANTIPHON_AVX512 ANTIPHON_INLINE void pack_whole(std::byte* packed, const std::byte* memory, std::int64_t count,
                                                bool from_middle) {
  constexpr std::int64_t kWorthIt = 8;
  const __m512i ints = every_second<Word>(from_middle);
  if (count >= kWorthIt && reinterpret_cast<std::uintptr_t>(memory) % 4 == 0) {
    const std::int64_t lines = count - 1;
    pack_lines<kStores>(packed, memory, lines, ints);
    packed += lines * 64, memory += lines * 128, count = 1;
  }
  pack_vectors<kStores>(packed, memory, count, ints);
}

// Whole lines are stored where words, or halves of long ones, can be had to begin with: a store across two lines
// costs as much as two, and none is streamed.
template <std::size_t Word, Stores kStores>
ANTIPHON_AVX512 void pack_every_second(std::byte* packed, const std::byte* memory, std::int64_t count,
                                       std::int64_t stride, std::int64_t) {
  constexpr auto kWord = static_cast<std::int64_t>(Word);
  constexpr std::int64_t kAtOnce = 64 / kWord;
  const auto pack_words = [&](std::int64_t words) {
    for (count -= words; words != 0; --words, packed += kWord, memory += stride) std::memcpy(packed, memory, Word);
  };
  const auto before = static_cast<std::int64_t>(-reinterpret_cast<std::uintptr_t>(packed) % 64);
  const bool from_middle = Word == 16 && before % kWord == kWord / 2;
  const bool whole_lines = before % kWord == 0 || from_middle;
  if (kStores == Stores::streamed && !whole_lines)
    return pack_every_second<Word, Stores::plain>(packed, memory, count, stride, kWord);
  if (count > 2 * kAtOnce) {
    if (whole_lines) pack_words(before / kWord);
    if (from_middle) std::memcpy(packed, memory, Word / 2);
    const std::int64_t half = from_middle ? kWord / 2 : 0;
    // The second vector may end a word after the last block, where memory may end: the last round is not whole.
    const std::int64_t vectors = (count - 1) / kAtOnce, words = vectors * kAtOnce;
    pack_whole<Word, kStores>(packed + half, memory + half, vectors, from_middle);
    packed += words * kWord, memory += words * stride, count -= words;
  }
  pack_words(count);  // the first again, of which half was packed from the middle on
}

template <std::size_t Word>
void use_every_second(StridedKernel& kernel) {
  kernel.pack = pack_every_second<Word, Stores::plain>;
  kernel.pack_streamed = pack_every_second<Word, Stores::streamed>;
}

// ---- Any bytes of short periods: as many periods as fit into a vector, squeezed together or spread out ----

struct Periods {
  std::int64_t at_once;  // periods in a vector
  std::int64_t packed;   // bytes of one, without gaps
  __mmask64 mask;        // of all in a vector

  Periods(std::int64_t stride, std::uint64_t one) : at_once(64 / stride), packed(std::popcount(one)), mask(0) {
    for (std::int64_t i = 0; i < at_once; ++i) mask |= one << (i * stride);
  }
  // Whether a whole vector may be read or written at both ends of what is left. The memory after the last period's
  // own bytes may not be there.
  [[nodiscard]] bool whole_vectors(std::int64_t left, std::int64_t stride) const {
    return left > at_once && left * packed >= 64 && (left - 1) * stride >= 64;
  }
};

ANTIPHON_AVX512 void pack_pattern(std::byte* packed, const std::byte* memory, std::int64_t count, std::int64_t stride,
                                  std::uint64_t mask) {
  const Periods periods(stride, mask);
  const std::int64_t step_packed = periods.at_once * periods.packed, step = periods.at_once * stride;
  for (; periods.whole_vectors(count, stride); count -= periods.at_once, packed += step_packed, memory += step)
    _mm512_storeu_si512(packed, _mm512_maskz_compress_epi8(periods.mask, _mm512_loadu_si512(memory)));
  const __mmask64 one_packed = _bzhi_u64(~std::uint64_t{0}, static_cast<unsigned>(periods.packed));
  for (; count != 0; --count, packed += periods.packed, memory += stride)
    _mm512_mask_storeu_epi8(packed, one_packed,
                            _mm512_maskz_compress_epi8(mask, _mm512_maskz_loadu_epi8(mask, memory)));
}

ANTIPHON_AVX512 void unpack_pattern(const std::byte* packed, std::byte* memory, std::int64_t count,
                                    std::int64_t stride, std::uint64_t mask) {
  const Periods periods(stride, mask);
  const std::int64_t step_packed = periods.at_once * periods.packed, step = periods.at_once * stride;
  for (; periods.whole_vectors(count, stride); count -= periods.at_once, packed += step_packed, memory += step)
    _mm512_mask_storeu_epi8(memory, periods.mask, _mm512_maskz_expand_epi8(periods.mask, _mm512_loadu_si512(packed)));
  const __mmask64 one_packed = _bzhi_u64(~std::uint64_t{0}, static_cast<unsigned>(periods.packed));
  for (; count != 0; --count, packed += periods.packed, memory += stride)
    _mm512_mask_storeu_epi8(memory, mask,
                            _mm512_maskz_expand_epi8(mask, _mm512_maskz_loadu_epi8(one_packed, packed)));
}

constexpr std::uint64_t low_bits(std::int64_t count) { return (std::uint64_t{1} << count) - 1; }

void pack_short(std::byte* packed, const std::byte* memory, std::int64_t count, std::int64_t stride,
                std::int64_t block) {
  pack_pattern(packed, memory, count, stride, low_bits(block));
}
void unpack_short(const std::byte* packed, std::byte* memory, std::int64_t count, std::int64_t stride,
                  std::int64_t block) {
  unpack_pattern(packed, memory, count, stride, low_bits(block));
}

// Whether a vector holds enough short blocks to be worth it (measured: docs/datatypes.md).
bool is_dense(std::int64_t block, std::int64_t stride) {
  return stride > block && stride <= 16 && block < 16 && block != 8;
}

}  // namespace

void improve(StridedKernel& kernel, std::int64_t block, std::int64_t stride, Vectors vectors) {
  if (vectors == Vectors::avx512) {
    if (block >= 64 && block < kLongBlock) kernel = {pack_rows_avx512, unpack_rows_avx512};
    if (is_dense(block, stride)) {
      kernel.pack = pack_short;
      if (block < 8) kernel.unpack = unpack_short;
    }
    if (stride == 2 * block && block == 4) use_every_second<4>(kernel);
    if (stride == 2 * block && block == 8) use_every_second<8>(kernel);
    if (stride == 2 * block && block == 16) use_every_second<16>(kernel);
  }
  if (vectors >= Vectors::avx2 && block >= 32 && block < (vectors == Vectors::avx512 ? 64 : kLongBlock))
    kernel = {pack_rows_avx2, unpack_rows_avx2};
}

template <class Displacement>
void improve(ListedKernel<Displacement>& kernel, std::int64_t block, Vectors vectors) {
  if (block < 32 || block >= kLongBlock) return;
  if (vectors == Vectors::avx512 && block >= 64)
    kernel = {pack_list_avx512<Displacement>, unpack_list_avx512<Displacement>};
  else if (vectors >= Vectors::avx2)
    kernel = {pack_list_avx2<Displacement>, unpack_list_avx2<Displacement>};
}

PatternKernel pattern(Vectors vectors) {
  return vectors == Vectors::avx512 ? PatternKernel{pack_pattern, unpack_pattern} : PatternKernel{};
}

}  // namespace antiphon::layout::x86

#else

namespace antiphon::layout::x86 {

void improve(StridedKernel&, std::int64_t, std::int64_t, Vectors) {}
template <class Displacement>
void improve(ListedKernel<Displacement>&, std::int64_t, Vectors) {}
PatternKernel pattern(Vectors) { return {}; }

}  // namespace antiphon::layout::x86

#endif

namespace antiphon::layout::x86 {

template void improve(ListedKernel<std::int32_t>&, std::int64_t, Vectors);
template void improve(ListedKernel<std::int64_t>&, std::int64_t, Vectors);

}  // namespace antiphon::layout::x86
