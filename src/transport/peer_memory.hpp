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

// The parts of one piece of work, which two processes divide between them: its owner takes them from the front, its
// helper from the back, so that a buffer used again and again stays in the caches where it is. The owner raises the
// generation with each new piece, and a helper that still thinks of the last one gets no part.
class SharedWork {
 public:
  static constexpr std::uint32_t kMostParts = 0xffff;

  void begin(std::uint32_t generation) noexcept {
    done_.store(0, std::memory_order_relaxed);
    taken_.store(std::uint64_t{generation} << 32, std::memory_order_release);
  }
  // True, and *part the number of a part that is now the caller's, if one of `parts` is left.
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

 private:
  static constexpr std::uint64_t kOneFromFront = 1u << 16, kOneFromBack = 1;
  static constexpr std::uint32_t from_front(std::uint64_t taken) { return static_cast<std::uint32_t>(taken) >> 16; }
  static constexpr std::uint32_t from_back(std::uint64_t taken) { return static_cast<std::uint32_t>(taken & 0xffff); }

  // *taken: what it was before this took one.
  bool take(std::uint32_t generation, std::uint32_t parts, std::uint64_t one, std::uint64_t* taken) noexcept {
    do {
      if (*taken >> 32 != generation || from_front(*taken) + from_back(*taken) >= parts) return false;
    } while (!taken_.compare_exchange_weak(*taken, *taken + one, std::memory_order_acq_rel));
    return true;
  }

  alignas(base::kCacheLine) std::atomic<std::uint64_t> taken_{
      0};  // generation << 32 | from the front << 16 | from the back
  std::atomic<std::uint32_t> done_{0};
};

class PeerMemory {
 public:
  using Pieces = std::span<const base::Piece>;
  static constexpr unsigned kSharedWorks = 64;    // of one process, for all its peers
  static constexpr std::size_t kMostPieces = 64;  // in a list

  virtual ~PeerMemory() = default;
  // `bytes` between pieces of this process's memory and pieces of the peer's: what the shorter list has, at most 1
  // GiB.
  [[nodiscard]] virtual bool read(Pieces here, Pieces there, std::size_t bytes) noexcept = 0;
  [[nodiscard]] virtual bool write(Pieces here, Pieces there, std::size_t bytes) noexcept = 0;
  // Where these bytes of the peer's are in this process's own memory; null where they are not.
  [[nodiscard]] virtual std::byte* mapped(std::uint64_t, std::size_t) noexcept { return nullptr; }
  // Whether the peer finds these bytes of mine in its memory, as far as this side can know.
  [[nodiscard]] virtual bool is_mapped_by_peer(const std::byte*, std::size_t) noexcept { return false; }
  // Counter `number`, of those that this process begins, whoever shares the work, and of those that the peer begins.
  [[nodiscard]] virtual SharedWork& mine(unsigned number) noexcept = 0;
  [[nodiscard]] virtual SharedWork& theirs(unsigned number) noexcept = 0;
  // The pipes that each process has, for all its peers, to lend to those who send to it: how many, and how much
  // memory they share, a power of two. One of this process's in a part of that memory, and one of the peer's.
  [[nodiscard]] virtual unsigned pipes() const noexcept { return 0; }
  [[nodiscard]] virtual std::size_t pipe_memory() const noexcept { return 0; }
  [[nodiscard]] virtual Pipe my_pipe(unsigned, const PipeBlock&) noexcept { return {}; }
  [[nodiscard]] virtual Pipe their_pipe(unsigned, const PipeBlock&) noexcept { return {}; }
  // For one of these that is used often: all of its pages at once take less than one by one.
  virtual void populate(const Pipe&) noexcept {}
  // Gives the pages of a part of this process's back to the system; no pipe is there.
  virtual void release(const PipeBlock&) noexcept {}
  // To be called after something that the peer waits for has changed in a pipe.
  virtual void wake() noexcept {}
};

}  // namespace antiphon::transport
