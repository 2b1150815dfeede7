// What a channel may offer besides packets: copies between this process's memory and its peer's that need nothing of
// the peer, and counters through which both share the work of one long copy. Addresses are the peer's own. Whether it
// works at all only a first copy tells: a kernel or container may forbid it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace antiphon::transport {

// The parts of one piece of work, of which two processes take the next whenever they are free. The one that begins a
// new piece in a counter raises its generation, so that whoever still thinks of the last piece gets no part.
class SharedWork {
 public:
  void begin(std::uint32_t generation) noexcept {
    done_.store(0, std::memory_order_relaxed);
    next_.store(std::uint64_t{generation} << 32, std::memory_order_release);
  }
  // True, and *part the number of a part that is now the caller's, if one of `parts` is left.
  [[nodiscard]] bool take(std::uint32_t generation, std::uint32_t parts, std::uint32_t* part) noexcept {
    std::uint64_t next = next_.load(std::memory_order_acquire);
    do {
      if (next >> 32 != generation || static_cast<std::uint32_t>(next) >= parts) return false;
    } while (!next_.compare_exchange_weak(next, next + 1, std::memory_order_acq_rel));
    *part = static_cast<std::uint32_t>(next);
    return true;
  }
  // The caller has done a part; true if it was the last of all.
  [[nodiscard]] bool finish(std::uint32_t parts) noexcept {
    return done_.fetch_add(1, std::memory_order_acq_rel) + 1 == parts;
  }

 private:
  alignas(64) std::atomic<std::uint64_t> next_{0};  // generation << 32 | next part
  std::atomic<std::uint32_t> done_{0};
};

class PeerMemory {
 public:
  static constexpr unsigned kSharedWorks = 16;

  virtual ~PeerMemory() = default;
  [[nodiscard]] virtual bool read(std::byte* to, std::uint64_t address, std::size_t bytes) noexcept = 0;
  [[nodiscard]] virtual bool write(std::uint64_t address, const std::byte* from, std::size_t bytes) noexcept = 0;
  // Counter `number`, of those that this process begins, and of those that the peer begins.
  [[nodiscard]] virtual SharedWork& mine(unsigned number) noexcept = 0;
  [[nodiscard]] virtual SharedWork& theirs(unsigned number) noexcept = 0;
};

}  // namespace antiphon::transport
