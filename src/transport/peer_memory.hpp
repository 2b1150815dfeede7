// What a transport may offer besides packets: copies between this process's memory and a peer's without the peer's
// help; counters through which both share the work of one long copy; and pipes, in memory that both have mapped.
// Addresses are the peer's own. Only a first copy shows whether copies work, because a kernel or container may
// forbid them. Memory that both have mapped needs no such copy.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/cache_line.hpp"
#include "base/piece.hpp"
#include "transport/pipe.hpp"

namespace antiphon::transport {

// The parts of one piece of work, which two processes divide: its owner takes parts from the front, its helper from
// the back, so that each part of a buffer that is used repeatedly stays in the same caches. The owner raises the
// generation for each new piece of work, so a helper that still has the last generation gets no part.
class SharedWork {
 public:
  static constexpr std::uint32_t kMostParts = 0xffff;

  void begin(std::uint32_t generation) noexcept {
    done_.store(0, std::memory_order_relaxed);
    taken_.store(std::uint64_t{generation} << 32, std::memory_order_release);
  }
  // Takes a part. True if one of `parts` was left; then *part is its number.
  [[nodiscard]] bool take_first(std::uint32_t generation, std::uint32_t parts, std::uint32_t* part) noexcept {
    std::uint64_t taken = taken_.load(std::memory_order_acquire);
    if (!take(generation, parts, kOneFromFront, &taken)) return false;
    *part = from_front(taken);
    return true;
  }
  [[nodiscard]] bool take_last(std::uint32_t generation, std::uint32_t parts, std::uint32_t* part) noexcept {
    std::uint64_t taken = taken_.load(std::memory_order_acquire);
    if (!take(generation, parts, kOneFromBack, &taken)) return false;
    *part = parts - 1 - from_back(taken);
    return true;
  }
  // The caller has done a part; true if it was the last of all.
  [[nodiscard]] bool finish(std::uint32_t parts) noexcept {
    return done_.fetch_add(1, std::memory_order_acq_rel) + 1 == parts;
  }
  // Whether all parts have been done, whoever has done them.
  [[nodiscard]] bool is_finished(std::uint32_t parts) const noexcept {
    return done_.load(std::memory_order_acquire) == parts;
  }

 private:
  static constexpr std::uint64_t kOneFromFront = 1u << 16, kOneFromBack = 1;
  static constexpr std::uint32_t from_front(std::uint64_t taken) { return static_cast<std::uint32_t>(taken) >> 16; }
  static constexpr std::uint32_t from_back(std::uint64_t taken) { return static_cast<std::uint32_t>(taken & 0xffff); }

  // *taken is set to the value before this part was taken.
  bool take(std::uint32_t generation, std::uint32_t parts, std::uint64_t one, std::uint64_t* taken) noexcept {
    do {
      if (*taken >> 32 != generation || from_front(*taken) + from_back(*taken) >= parts) return false;
    } while (!taken_.compare_exchange_weak(*taken, *taken + one, std::memory_order_acq_rel));
    return true;
  }

  // generation << 32 | parts taken from the front << 16 | parts taken from the back
  alignas(base::kCacheLine) std::atomic<std::uint64_t> taken_{0};
  std::atomic<std::uint32_t> done_{0};
};

class PeerMemory {
 public:
  using Pieces = std::span<const base::Piece>;
  static constexpr unsigned kSharedWorks = 64;    // of one process, for all its peers
  static constexpr std::size_t kMostPieces = 64;  // in a list

  virtual ~PeerMemory() = default;
  // Copies `bytes` bytes between pieces of this process's memory and pieces of the peer's. `bytes` is what the
  // shorter list has, at most 1 GiB.
  [[nodiscard]] virtual bool read(Pieces here, Pieces there, std::size_t bytes) noexcept = 0;
  [[nodiscard]] virtual bool write(Pieces here, Pieces there, std::size_t bytes) noexcept = 0;
  // Where this process has mapped these bytes of the peer; null if it has not.
  [[nodiscard]] virtual std::byte* mapped(std::uint64_t, std::size_t) noexcept { return nullptr; }
  // Whether the peer has mapped these bytes of this process, as far as this side can know.
  [[nodiscard]] virtual bool is_mapped_by_peer(const std::byte*, std::size_t) noexcept { return false; }
  // Counter `number` of those for work that this process owns, with any peer, and of those for work that the peer
  // owns.
  [[nodiscard]] virtual SharedWork& mine(unsigned number) noexcept = 0;
  [[nodiscard]] virtual SharedWork& theirs(unsigned number) noexcept = 0;
  // Each process has pipes, which it lends to processes that send to it: how many there are, and how much memory they
  // share, a power of two. Then: one pipe of this process, or of the peer, in a part of that memory.
  [[nodiscard]] virtual unsigned pipes() const noexcept { return 0; }
  [[nodiscard]] virtual std::size_t pipe_memory() const noexcept { return 0; }
  [[nodiscard]] virtual Pipe my_pipe(unsigned, const PipeBlock&) noexcept { return {}; }
  [[nodiscard]] virtual Pipe their_pipe(unsigned, const PipeBlock&) noexcept { return {}; }
  // For one of these pipes that is used often: allocating all its pages at once is faster than one by one.
  virtual void populate(const Pipe&) noexcept {}
  // Gives the pages of a part of this process's pipe memory back to the system. No pipe may use that part.
  virtual void release(const PipeBlock&) noexcept {}
  // Call after something in a pipe has changed that the peer waits for.
  virtual void wake() noexcept {}
};

}  // namespace antiphon::transport
