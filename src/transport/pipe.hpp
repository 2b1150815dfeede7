// A pipe for bulk bytes between two processes: a piece of memory that both have mapped, short enough to stay in a
// cache, through which one copies in while the other copies out. One writer and one reader at a time; who they are,
// and which message's bytes follow which, is agreed in packets. Bytes of a message begin at a line of their own. All
// begins as zeros; a pipe that changes hands is empty then, and the next pair goes on where the last one stopped.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/cache_line.hpp"

namespace antiphon::transport {

// Where it lies.
class Pipe {
 public:
  Pipe() = default;  // of no memory
  // Both sides pass the same.
  Pipe(std::byte* memory, std::size_t bytes)
      : positions_(reinterpret_cast<Positions*>(memory)),
        bytes_(memory + sizeof(Positions)),
        capacity_((bytes - sizeof(Positions)) / base::kCacheLine * base::kCacheLine) {}

  [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }
  [[nodiscard]] std::span<std::byte> memory() const noexcept {
    return {reinterpret_cast<std::byte*>(positions_), overhead() + capacity_};
  }
  // What it needs besides its capacity.
  [[nodiscard]] static constexpr std::size_t overhead() noexcept { return sizeof(Positions); }

 protected:
  // How far its ends have come, in bytes since the start of time.
  struct Positions {
    alignas(base::kCacheLinePair) std::atomic<std::uint64_t> written;
    alignas(base::kCacheLinePair) std::atomic<std::uint64_t> read;
  };
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
  explicit PipeReader(const Pipe& pipe) : Pipe(pipe) {}

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
