// What a process has allocated in memory that its peers can map: the heap, seen from one of them. The peer maps as
// much of it as it has met addresses of: tools that look at all memory, as valgrind does when a program ends, find
// what is in use and not a space as large as the machine's memory. Part of a NeighbourMemory; used by the process's
// one lane.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace antiphon::transport::shm {

class PeerHeap {
 public:
  // Maps that much, from the beginning on; null where the system refuses. The beginning stays where it is.
  using Map = std::function<std::byte*(std::size_t bytes)>;

  PeerHeap() = default;  // of a process that has none
  // `address`: where the heap begins in its own process, 0 as long as it has not begun.
  PeerHeap(const std::atomic<std::uint64_t>* address, std::size_t bytes, Map map)
      : address_(address), bytes_(bytes), map_(std::move(map)) {}

  // Whether these bytes, by their address in the heap's own process, lie within it.
  [[nodiscard]] bool holds(std::uint64_t address, std::size_t bytes) const noexcept {
    const std::uint64_t first = address_ ? address_->load(std::memory_order_acquire) : 0;
    return first != 0 && address >= first && bytes <= bytes_ && address - first <= bytes_ - bytes;
  }
  // Where they are here; null if they are not within it, or it cannot be mapped.
  [[nodiscard]] std::byte* find(std::uint64_t address, std::size_t bytes) noexcept {
    if (!holds(address, bytes)) return nullptr;
    const std::uint64_t place = address - address_->load(std::memory_order_relaxed);
    if (!here_ || place + bytes > mapped_) [[unlikely]] {
      if (refused_) return nullptr;
      std::byte* const here = map_(place + bytes);
      refused_ = here == nullptr;
      if (refused_) return nullptr;
      here_ = here;
      mapped_ = place + bytes;
    }
    return here_ + place;
  }

 private:
  const std::atomic<std::uint64_t>* address_ = nullptr;
  std::size_t bytes_ = 0;
  Map map_;
  std::byte* here_ = nullptr;
  std::size_t mapped_ = 0;
  bool refused_ = false;
};

}  // namespace antiphon::transport::shm
