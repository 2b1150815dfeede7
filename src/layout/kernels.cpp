#include "layout/kernels.hpp"

#include <utility>

#include "layout/block_copies.hpp"
#include "layout/kernels_x86.hpp"
#include "layout/uncached.hpp"

namespace antiphon::layout {

namespace {

template <class Block>
void pack_strided(std::byte* packed, const std::byte* memory, std::int64_t count, std::int64_t stride,
                  std::int64_t block) {
  if (Block::kRows && far_apart(count, stride)) [[unlikely]]
    return pack_far_rows(packed, memory, count, stride, block);
#pragma GCC unroll 8
  for (std::int64_t i = 0; i < count; ++i, packed += block, memory += stride) Block::copy(packed, memory, block);
}

template <class Block>
void unpack_strided(const std::byte* packed, std::byte* memory, std::int64_t count, std::int64_t stride,
                    std::int64_t block) {
#pragma GCC unroll 8
  for (std::int64_t i = 0; i < count; ++i, packed += block, memory += stride) Block::copy(memory, packed, block);
}

template <class Block, class Displacement>
void pack_listed(std::byte* packed, const std::byte* memory, const Displacement* displacements, std::int64_t count,
                 std::int64_t block) {
#pragma GCC unroll 8
  for (std::int64_t i = 0; i < count; ++i, packed += block) Block::copy(packed, memory + displacements[i], block);
}

template <class Block, class Displacement>
void unpack_listed(const std::byte* packed, std::byte* memory, const Displacement* displacements, std::int64_t count,
                   std::int64_t block) {
#pragma GCC unroll 8
  for (std::int64_t i = 0; i < count; ++i, packed += block) Block::copy(memory + displacements[i], packed, block);
}

// Words gathered into a vector register and stored at once: stores are what limits a loop over single words.
template <class Word, std::size_t... Lane, class At>
ANTIPHON_INLINE void gather_words(std::byte* packed, std::index_sequence<Lane...>, At&& at) {
  const auto load = [&](std::size_t lane) {
    Word word;
    std::memcpy(&word, at(static_cast<std::int64_t>(lane)), sizeof word);
    return word;
  };
  using Lanes [[gnu::vector_size(16)]] = Word;
  const Lanes lanes = {load(Lane)...};
  std::memcpy(packed, &lanes, sizeof lanes);
}
template <class Word>
inline constexpr std::int64_t kLanes = 16 / sizeof(Word);

template <class Word>
void pack_strided_words(std::byte* packed, const std::byte* memory, std::int64_t count, std::int64_t stride,
                        std::int64_t) {
  constexpr std::int64_t kWord = sizeof(Word);
  std::int64_t i = 0;
#pragma GCC unroll 4
  for (; i + kLanes<Word> <= count; i += kLanes<Word>)
    gather_words<Word>(packed + i * kWord, std::make_index_sequence<kLanes<Word>>{},
                       [&](std::int64_t lane) { return memory + (i + lane) * stride; });
  pack_strided<Exactly<sizeof(Word)>>(packed + i * kWord, memory + i * stride, count - i, stride, kWord);
}

template <class Word, class Displacement>
void pack_listed_words(std::byte* packed, const std::byte* memory, const Displacement* displacements,
                       std::int64_t count, std::int64_t) {
  constexpr std::int64_t kWord = sizeof(Word);
  std::int64_t i = 0;
#pragma GCC unroll 4
  for (; i + kLanes<Word> <= count; i += kLanes<Word>)
    gather_words<Word>(packed + i * kWord, std::make_index_sequence<kLanes<Word>>{},
                       [&](std::int64_t lane) { return memory + displacements[i + lane]; });
  pack_listed<Exactly<sizeof(Word)>>(packed + i * kWord, memory, displacements + i, count - i, kWord);
}

}  // namespace

StridedKernel strided_kernel(std::int64_t block, std::int64_t stride, Vectors vectors) {
  StridedKernel kernel = with_copy(block, [](auto copy) {
    return StridedKernel{pack_strided<decltype(copy)>, unpack_strided<decltype(copy)>};
  });
  if (block == 4) kernel.pack = pack_strided_words<std::uint32_t>;
  if (block == 8) kernel.pack = pack_strided_words<std::uint64_t>;
  x86::improve(kernel, block, stride, vectors);
  improve_uncached(kernel, block, stride, vectors);
  return kernel;
}

template <class Displacement>
ListedKernel<Displacement> listed_kernel(std::int64_t block, Vectors vectors) {
  auto kernel = with_copy(block, [](auto copy) {
    return ListedKernel<Displacement>{pack_listed<decltype(copy), Displacement>,
                                      unpack_listed<decltype(copy), Displacement>};
  });
  if (block == 4) kernel.pack = pack_listed_words<std::uint32_t, Displacement>;
  if (block == 8) kernel.pack = pack_listed_words<std::uint64_t, Displacement>;
  x86::improve(kernel, block, vectors);
  return kernel;
}

template ListedKernel<std::int32_t> listed_kernel(std::int64_t, Vectors);
template ListedKernel<std::int64_t> listed_kernel(std::int64_t, Vectors);

PatternKernel pattern_kernel(Vectors vectors) { return x86::pattern(vectors); }

}  // namespace antiphon::layout
