// Memory that MPI keeps for the time when the system has none. What a call has begun, and what a packet's handler
// does, must not stop halfway, because other processes count on it. So where malloc finds nothing, the library's
// operator new gives it back a piece of the reserve (api/operator_new.cpp); and from then on calls that would begin
// something fail, without any effect, until the reserve is whole again (Call::needs_memory). It belongs to the
// process of the operating system, as its memory does, whatever runs in that. Any thread may use it.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>

namespace antiphon::base {

class MemoryReserve {
 public:
  // Where memory comes from; null where there is none. Tests have another.
  using System = void* (*)(std::size_t bytes, std::size_t alignment) noexcept;
  constexpr explicit MemoryReserve(System system) : system_(system) {}
  ~MemoryReserve() = default;
  MemoryReserve(const MemoryReserve&) = delete;
  MemoryReserve& operator=(const MemoryReserve&) = delete;

  // What operator new does: throws std::bad_alloc where neither the system nor the reserve has so much.
  [[nodiscard]] void* allocate(std::size_t bytes, std::size_t alignment) {
    if (void* const start = system_(bytes, alignment)) [[likely]]
      return start;
    return allocate_again(bytes, alignment);
  }

  // Whether pieces are missing, as all are in the beginning.
  [[nodiscard]] bool lacks_pieces() const noexcept { return missing_.load(std::memory_order_relaxed) != 0; }
  // Puts them back, and says whether the reserve is whole now.
  [[nodiscard]] bool fill() noexcept;

  // For tests.
  void take_from(System system) noexcept { system_ = system; }
  [[nodiscard]] std::size_t spent_bytes() const noexcept;

 private:
  // Most allocations are of a few hundred bytes, so the small pieces last for long; the large ones are for what grows
  // by doubling. Nobody touches them, so they occupy addresses, and next to no memory.
  static constexpr std::array<std::size_t, 6> kPieces{64 << 10, 64 << 10, 64 << 10, 64 << 10, 256 << 10, 1 << 20};

  [[nodiscard, gnu::cold]] void* allocate_again(std::size_t bytes, std::size_t alignment);
  // To malloc: the smallest piece that is there and has so much, or else whatever is there.
  [[nodiscard]] bool spend(std::size_t bytes) noexcept;
  [[nodiscard]] bool spend_piece(std::size_t number) noexcept;

  System system_;
  std::array<std::atomic<void*>, kPieces.size()> pieces_{};
  std::atomic<std::size_t> missing_ = kPieces.size();
};

extern constinit MemoryReserve memory_reserve;

}  // namespace antiphon::base
