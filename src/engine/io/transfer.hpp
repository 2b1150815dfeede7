// Moves bytes between a buffer in memory and what a view shows of a file, for one process alone. Keeps nothing; works
// on memory, a view and a file that must exist until it returns. Any thread may call it, with the lane or without.
#pragma once

#include "engine/data/buffer.hpp"
#include "engine/io/stored_file.hpp"
#include "objects/file_view.hpp"

namespace antiphon::io {

enum class Direction : std::uint8_t { read, write };

// A part of a buffer of the user's: packed bytes [offset, offset + bytes).
struct Memory {
  std::byte* begin = nullptr;  // of the buffer: its first byte, or the origin of displacements
  data::Scattered scattered = {};
  std::int64_t offset = 0;
  std::int64_t bytes = 0;

  Memory() = default;
  explicit Memory(const data::Buffer& buffer)
      : begin(buffer.begin()), scattered(buffer.scattered()), bytes(static_cast<std::int64_t>(buffer.bytes())) {}
  [[nodiscard]] Memory part(std::int64_t from, std::int64_t length) const {
    Memory some = *this;
    some.offset += from;
    some.bytes = length;
    return some;
  }
  [[nodiscard]] bool in_one_piece() const { return !scattered; }
  [[nodiscard]] std::byte* first() const { return begin + offset; }  // of contiguous ones
  void pack(std::int64_t from, std::byte* to, std::int64_t length) const {
    data::pack_part(begin, scattered, static_cast<std::size_t>(offset + from), to, static_cast<std::size_t>(length));
  }
  void unpack(std::int64_t from, const std::byte* packed, std::int64_t length) const {
    data::unpack_part(begin, scattered, static_cast<std::size_t>(offset + from), packed,
                      static_cast<std::size_t>(length));
  }
};

struct Tuning {
  std::int64_t sieve_bytes = std::int64_t{512} << 10;  // most that one sieving read reads; 0: it never sieves
};

// What an access is about: as many bytes of the view from `position` on as the memory has.
struct Access {
  const StoredFile* file;
  const objects::FileView* view;
  std::int64_t position;
  Memory memory;
  bool is_atomic = false;
  Tuning tuning = {};
};

// Returns the bytes that it has read: fewer only where the file ends.
[[nodiscard]] std::int64_t read(const Access& access);
void write(const Access& access);
// The same, by direction. Returns the bytes moved.
std::int64_t carry_out(Direction direction, const Access& access);

}  // namespace antiphon::io
