// A pipe for bulk data between two processes: memory that both have mapped, small enough to stay in a cache. One
// process copies into it while the other copies out of it. A pipe has one writer and one reader at a time; packets
// say which these are, in which order messages follow, and which memory the pipe has. Each message begins at a new
// cache line. Positions begin at zero. A pipe that gets another writer or other memory is empty at that time, and its
// positions continue.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/cache_line.hpp"

namespace antiphon::transport {

// A part of the memory that the pipes of one process share, in whole cache lines.
struct PipeBlock {
  std::uint32_t offset = 0;
  std::uint32_t bytes = 0;

  [[nodiscard]] std::uint32_t end() const noexcept { return offset + bytes; }
  [[nodiscard]] bool overlaps(const PipeBlock& other) const noexcept {
    return offset < other.end() && other.offset < end();
  }
  bool operator==(const PipeBlock&) const = default;
};

// The memory of a pipe.
class Pipe {
 public:
  // How many bytes have been written and read, since the pipe was created.
  struct Positions {
    alignas(base::kCacheLinePair) std::atomic<std::uint64_t> written;
    alignas(base::kCacheLinePair) std::atomic<std::uint64_t> read;
  };

  Pipe() = default;  // without memory
  // Both sides must pass the same memory, in whole cache lines.
  Pipe(Positions* positions, std::span<std::byte> memory)
      : positions_(positions), bytes_(memory.data()), capacity_(memory.size()) {}

  [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }
  [[nodiscard]] std::span<std::byte> memory() const noexcept { return {bytes_, capacity_}; }

 protected:
  // The memory from a position on, as far as it is contiguous.
  [[nodiscard]] std::span<std::byte> piece(std::uint64_t position, std::uint64_t most) const noexcept {
    const std::size_t offset = position % capacity_;
    return {bytes_ + offset, std::min<std::size_t>(most, capacity_ - offset)};
  }

  Positions* positions_ = nullptr;
  std::byte* bytes_ = nullptr;
  std::size_t capacity_ = 0;
};

class PipeWriter : public Pipe {
 public:
  PipeWriter() = default;
  explicit PipeWriter(const Pipe& pipe) : Pipe(pipe) {}

  // Begins a message.
  void begin() noexcept { at_ = base::whole_lines(positions_->written.load(std::memory_order_relaxed)); }
  // Where the next bytes go: at most `most`, fewer at the end of the memory, and none if there is no room for those.
  [[nodiscard]] std::span<std::byte> room(std::size_t most) noexcept {
    const std::span<std::byte> next = piece(at_, std::min(most, capacity_));
    if (at_ + next.size() > limit_) limit_ = positions_->read.load(std::memory_order_acquire) + capacity_;
    return at_ + next.size() > limit_ ? std::span<std::byte>() : next;
  }
  // Publishes bytes. The caller must then wake the reader if it sleeps.
  void wrote(std::size_t bytes) noexcept {
    at_ += bytes;
    positions_->written.store(at_, std::memory_order_release);
  }

 private:
  std::uint64_t at_ = 0;
  std::uint64_t limit_ = 0;  // up to where there was room at the last look
};

class PipeReader : public Pipe {
 public:
  PipeReader() = default;
  explicit PipeReader(const Pipe& pipe) : Pipe(pipe), at_(positions_->read.load(std::memory_order_relaxed)) {}

  // Begins a message. The caller must then wake the writer, too: it may be waiting for the rest of this line.
  void begin() noexcept { used(base::whole_lines(at_) - at_); }
  // The next bytes that have arrived, at most `most`.
  [[nodiscard]] std::span<const std::byte> ready(std::size_t most) const noexcept {
    const std::uint64_t written = positions_->written.load(std::memory_order_acquire);
    return written > at_ ? piece(at_, std::min<std::uint64_t>(most, written - at_)) : std::span<std::byte>();
  }
  // Frees bytes. The caller must then wake the writer if it sleeps.
  void used(std::size_t bytes) noexcept {
    at_ += bytes;
    positions_->read.store(at_, std::memory_order_release);
  }

 private:
  std::uint64_t at_ = 0;
};

}  // namespace antiphon::transport
