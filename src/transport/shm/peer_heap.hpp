// What a process has allocated in memory that its peers can map: the heap, seen from one of them. The peer maps it
// when it first meets an address of it. Part of a NeighbourMemory; used by the process's one lane.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace antiphon::transport::shm {

class PeerHeap {
 public:
  using Map = std::function<std::byte*()>;  // null where the system refuses

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
    if (!here_ && !refused_) refused_ = (here_ = map_()) == nullptr;
    return here_ ? here_ + (address - address_->load(std::memory_order_relaxed)) : nullptr;
  }

 private:
  const std::atomic<std::uint64_t>* address_ = nullptr;
  std::size_t bytes_ = 0;
  Map map_;
  std::byte* here_ = nullptr;
  bool refused_ = false;
};

}  // namespace antiphon::transport::shm
