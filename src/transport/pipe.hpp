// A pipe for bulk data between two processes: memory that both have mapped, short enough to stay in a cache, into
// which one copies while the other copies out of it. There is one writer and one reader at a time; packets say who
// they are, in which order messages follow, and which memory the pipe has. The bytes of a message begin at a cache
// line of their own. Positions begin at zero. A pipe that gets another sender or memory is empty then, and
// positions go on from where they were.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/cache_line.hpp"

namespace antiphon::transport {

// A part of the memory that the pipes of one process share: whole lines.
struct PipeBlock {
  std::uint32_t offset = 0;
  std::uint32_t bytes = 0;

  [[nodiscard]] std::uint32_t end() const noexcept { return offset + bytes; }
  [[nodiscard]] bool overlaps(const PipeBlock& other) const noexcept {
    return offset < other.end() && other.offset < end();
  }
  bool operator==(const PipeBlock&) const = default;
};

// Where it lies.
class Pipe {
 public:
  // How far its ends have come, in bytes since the start of time.
  struct Positions {
    alignas(base::kCacheLinePair) std::atomic<std::uint64_t> written;
    alignas(base::kCacheLinePair) std::atomic<std::uint64_t> read;
  };

  Pipe() = default;  // of no memory
  // Both sides pass the same; `memory` is whole lines.
  Pipe(Positions* positions, std::span<std::byte> memory)
      : positions_(positions), bytes_(memory.data()), capacity_(memory.size()) {}

  [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }
  [[nodiscard]] std::span<std::byte> memory() const noexcept { return {bytes_, capacity_}; }

 protected:
  // From a position on, as far as that is in one piece.
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

  // A message follows.
  void begin() noexcept { at_ = base::whole_lines(positions_->written.load(std::memory_order_relaxed)); }
  // Where the next bytes go, up to so many, or fewer where the memory ends; none if there is no room for those.
  [[nodiscard]] std::span<std::byte> room(std::size_t most) noexcept {
    const std::span<std::byte> next = piece(at_, std::min(most, capacity_));
    if (at_ + next.size() > limit_) limit_ = positions_->read.load(std::memory_order_acquire) + capacity_;
    return at_ + next.size() > limit_ ? std::span<std::byte>() : next;
  }
  // Afterwards the reader has to be woken if it sleeps.
  void wrote(std::size_t bytes) noexcept {
    at_ += bytes;
    positions_->written.store(at_, std::memory_order_release);
  }

 private:
  std::uint64_t at_ = 0;
  std::uint64_t limit_ = 0;  // how far there was room when this looked last
};

class PipeReader : public Pipe {
 public:
  PipeReader() = default;
  explicit PipeReader(const Pipe& pipe) : Pipe(pipe), at_(positions_->read.load(std::memory_order_relaxed)) {}

  // A message follows. Then, too, the writer has to be woken: the rest of a line may be all that it waits for.
  void begin() noexcept { used(base::whole_lines(at_) - at_); }
  // The next bytes, up to so many; none if they have not come.
  [[nodiscard]] std::span<const std::byte> ready(std::size_t most) const noexcept {
    const std::uint64_t written = positions_->written.load(std::memory_order_acquire);
    return written > at_ ? piece(at_, std::min<std::uint64_t>(most, written - at_)) : std::span<std::byte>();
  }
  // Afterwards the writer has to be woken if it sleeps.
  void used(std::size_t bytes) noexcept {
    at_ += bytes;
    positions_->read.store(at_, std::memory_order_release);
  }

 private:
  std::uint64_t at_ = 0;
};

}  // namespace antiphon::transport
