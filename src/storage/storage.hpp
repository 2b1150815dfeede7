// What holds the bytes of files: the contract between the engine of files and the system, or what a test puts in the
// system's place. Calls behave as the system's do: they may move fewer bytes than asked, or be interrupted. Whoever
// uses them (engine/io/stored_file.hpp) goes on where they stopped. Stateless for its users, who hold descriptors;
// any thread may call it, with the lane or without.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/piece.hpp"

namespace antiphon::storage {

// What a call has done: a number of 0 or more, or the system's error number, negated.
using Result = std::int64_t;

using Pieces = std::span<const base::Piece>;

class Storage {
 public:
  // The most pieces that one call takes.
  static constexpr std::size_t kMostPieces = 256;
  enum class Lock { none, shared, exclusive };

  virtual ~Storage() = default;

  // A descriptor. `flags` are open(2)'s.
  [[nodiscard]] virtual Result open(const std::string& path, int flags, unsigned permissions) = 0;
  [[nodiscard]] virtual Result close(int file) = 0;
  [[nodiscard]] virtual Result remove(const std::string& path) = 0;

  // Bytes moved, from this offset of the file on. 0 of a read that asked for some: the file ends there.
  [[nodiscard]] virtual Result read(int file, Pieces into, std::int64_t offset) = 0;
  [[nodiscard]] virtual Result write(int file, Pieces from, std::int64_t offset) = 0;

  [[nodiscard]] virtual Result size(int file) = 0;
  [[nodiscard]] virtual Result set_size(int file, std::int64_t bytes) = 0;
  // Reserves space for the first `bytes` bytes; a shorter file grows to this length.
  [[nodiscard]] virtual Result allocate(int file, std::int64_t bytes) = 0;
  // Returns when what was written is on the device.
  [[nodiscard]] virtual Result synchronize(int file) = 0;
  // Locks a range for this descriptor, or gives it back; waits for those who hold it.
  [[nodiscard]] virtual Result lock(int file, Lock how, std::int64_t first, std::int64_t bytes) = 0;
};

}  // namespace antiphon::storage
