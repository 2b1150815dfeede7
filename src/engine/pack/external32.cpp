#include "engine/pack/external32.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/wide_numbers.hpp"

namespace antiphon::external32 {

using base::Binary128;
using objects::Basic;
using objects::Datatype;
using objects::External;

namespace {

void copy_reversed(std::byte* to, const std::byte* from, int bytes) { std::reverse_copy(from, from + bytes, to); }

template <class Word, auto Reverse>
void reverse_words(std::byte* data, std::int64_t bytes) {
  for (std::int64_t at = 0; at < bytes; at += static_cast<std::int64_t>(sizeof(Word))) {
    Word word;
    std::memcpy(&word, data + at, sizeof word);
    word = Reverse(word);
    std::memcpy(data + at, &word, sizeof word);
  }
}

// Reverses each `width` bytes.
void reverse_each(std::byte* data, std::int64_t bytes, int width) {
  switch (width) {
    case 1:
      return;
    case 2:
      return reverse_words<std::uint16_t, [](std::uint16_t v) { return __builtin_bswap16(v); }>(data, bytes);
    case 4:
      return reverse_words<std::uint32_t, [](std::uint32_t v) { return __builtin_bswap32(v); }>(data, bytes);
    case 8:
      return reverse_words<std::uint64_t, [](std::uint64_t v) { return __builtin_bswap64(v); }>(data, bytes);
    default:
      for (; bytes > 0; bytes -= width, data += width) std::reverse(data, data + width);
  }
}

// An integer as `to_bytes` bytes, of which there may be more or fewer than it has. Both ends little-endian.
void resize_integer(std::byte* to, int to_bytes, const std::byte* from, int from_bytes, bool is_signed) {
  const bool negative = is_signed && (from[from_bytes - 1] & std::byte{0x80}) != std::byte{0};
  std::memset(to, negative ? 0xff : 0, static_cast<std::size_t>(to_bytes));
  std::memcpy(to, from, static_cast<std::size_t>(std::min(to_bytes, from_bytes)));
}

void scalar_out(std::byte* packed, const std::byte* memory, const Basic& basic) {
  std::byte value[16];
  switch (basic.external) {
    case External::as_is:
      std::memcpy(packed, memory, basic.scalar_bytes);
      return;
    case External::big_endian:
      return copy_reversed(packed, memory, basic.scalar_bytes);
    case External::signed_integer:
    case External::unsigned_integer:
      resize_integer(value, basic.external_bytes, memory, basic.scalar_bytes,
                     basic.external == External::signed_integer);
      return copy_reversed(packed, value, basic.external_bytes);
    case External::binary128: {
      long double native = 0;
      std::memcpy(&native, memory, sizeof native);
      const auto wide = static_cast<Binary128>(native);
      std::memcpy(value, &wide, sizeof wide);
      return copy_reversed(packed, value, sizeof wide);
    }
  }
}

void scalar_in(const std::byte* packed, std::byte* memory, const Basic& basic) {
  std::byte value[16];
  switch (basic.external) {
    case External::as_is:
      std::memcpy(memory, packed, basic.scalar_bytes);
      return;
    case External::big_endian:
      return copy_reversed(memory, packed, basic.scalar_bytes);
    case External::signed_integer:
    case External::unsigned_integer:
      copy_reversed(value, packed, basic.external_bytes);
      return resize_integer(memory, basic.scalar_bytes, value, basic.external_bytes,
                            basic.external == External::signed_integer);
    case External::binary128: {
      Binary128 wide = 0;
      copy_reversed(value, packed, sizeof wide);
      std::memcpy(&wide, value, sizeof wide);
      const auto native = static_cast<long double>(wide);
      std::memcpy(memory, &native, sizeof native);
      return;
    }
  }
}

// Calls use(address, basic) for each basic element of `count` types, in the order of the type map.
template <class Use>
void each_basic(std::uintptr_t at, std::int64_t count, const Datatype& type, Use& use) {
  for (; count > 0; --count, at += static_cast<std::uintptr_t>(type.extent())) {
    for (int i = 0; i < type.basics().count; ++i) {
      const Basic& basic = type.basics().element[i];
      use(at + static_cast<std::uintptr_t>(basic.displacement), basic);
    }
    type.each_part([&](const objects::Part& part) {
      if (part.type->size() == 0) return;
      std::uintptr_t block = at + static_cast<std::uintptr_t>(part.displacement);
      for (std::int64_t i = 0; i < part.blocks; ++i, block += static_cast<std::uintptr_t>(part.stride))
        each_basic(block, part.length, *part.type, use);
    });
  }
}

// Values of one length, reversed on their way through here.
using Window = std::array<std::byte, 4096>;

}  // namespace

void pack(const void* buffer, std::int64_t count, const Datatype& type, std::byte* packed) {
  if (type.size() == 0 || count == 0) return;
  if (const auto width = type.geometry().swap_width()) {
    const std::int64_t bytes = count * type.size();
    type.layout().pack(buffer, count, {0, bytes}, packed);
    return reverse_each(packed, bytes, *width);
  }
  auto out = [&](std::uintptr_t at, const Basic& basic) {
    const auto* memory = reinterpret_cast<const std::byte*>(at);
    for (int i = 0; i < basic.scalars; ++i, memory += basic.scalar_bytes, packed += basic.external_bytes)
      scalar_out(packed, memory, basic);
  };
  each_basic(reinterpret_cast<std::uintptr_t>(buffer), count, type, out);
}

void unpack(const std::byte* packed, void* buffer, std::int64_t count, const Datatype& type) {
  if (type.size() == 0 || count == 0) return;
  if (const auto width = type.geometry().swap_width()) {
    Window window;
    const std::int64_t bytes = count * type.size();
    for (std::int64_t done = 0; done < bytes;) {
      const std::int64_t here = std::min(bytes - done, static_cast<std::int64_t>(window.size()));
      std::memcpy(window.data(), packed + done, static_cast<std::size_t>(here));
      reverse_each(window.data(), here, *width);
      type.layout().unpack(buffer, count, {done, here}, window.data());
      done += here;
    }
    return;
  }
  auto in = [&](std::uintptr_t at, const Basic& basic) {
    auto* memory = reinterpret_cast<std::byte*>(at);
    for (int i = 0; i < basic.scalars; ++i, memory += basic.scalar_bytes, packed += basic.external_bytes)
      scalar_in(packed, memory, basic);
  };
  each_basic(reinterpret_cast<std::uintptr_t>(buffer), count, type, in);
}

}  // namespace antiphon::external32
