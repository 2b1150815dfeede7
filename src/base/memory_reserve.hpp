// Memory that MPI reserves for the case that the system has none left. An operation that has started, or a packet
// handler, must not stop halfway, because other processes rely on it. If malloc fails, the library's operator new
// frees a piece of the reserve and tries again (api/operator_new.cpp). From then on, calls that would start an
// operation fail without any effect until the reserve is complete again (Call::needs_memory). There is one reserve
// for each operating-system process, even if several simulated MPI processes run in it. Any thread may use it.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>

namespace antiphon::base {

class MemoryReserve {
 public:
  // The allocator; it returns null if there is no memory. Tests replace it.
  using System = void* (*)(std::size_t bytes, std::size_t alignment) noexcept;
  constexpr explicit MemoryReserve(System system) : system_(system) {}
  ~MemoryReserve() = default;
  MemoryReserve(const MemoryReserve&) = delete;
  MemoryReserve& operator=(const MemoryReserve&) = delete;

  // Does what operator new does: throws std::bad_alloc if neither the system nor the reserve has so many bytes.
  [[nodiscard]] void* allocate(std::size_t bytes, std::size_t alignment) {
    if (void* const start = system_(bytes, alignment)) [[likely]]
      return start;
    return allocate_again(bytes, alignment);
  }

  // Whether pieces are missing. At first all are.
  [[nodiscard]] bool lacks_pieces() const noexcept { return missing_.load(std::memory_order_relaxed) != 0; }
  // Allocates the missing pieces; returns whether the reserve is complete now.
  [[nodiscard]] bool fill() noexcept;

  // For tests.
  void take_from(System system) noexcept { system_ = system; }
  [[nodiscard]] std::size_t spent_bytes() const noexcept;

 private:
  // Most allocations have a few hundred bytes, so the small pieces last for many of them; the large pieces are for
  // containers that grow by doubling. Nothing writes to the pieces, so they occupy address space but almost no
  // memory.
  static constexpr std::array<std::size_t, 6> kPieces{64 << 10, 64 << 10, 64 << 10, 64 << 10, 256 << 10, 1 << 20};

  [[nodiscard, gnu::cold]] void* allocate_again(std::size_t bytes, std::size_t alignment);
  // Frees the smallest piece that has at least `bytes`, or otherwise any piece.
  [[nodiscard]] bool spend(std::size_t bytes) noexcept;
  [[nodiscard]] bool spend_piece(std::size_t number) noexcept;

  System system_;
  std::array<std::atomic<void*>, kPieces.size()> pieces_{};
  std::atomic<std::size_t> missing_ = kPieces.size();
};

extern constinit MemoryReserve memory_reserve;

}  // namespace antiphon::base
