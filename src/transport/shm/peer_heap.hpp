// The heap of memory that peers can map: where it is in the job's file and in its own process, and how a peer maps
// it. The peer maps only the part up to the highest address that it has met. So tools that look at all mapped memory,
// as valgrind does when a program ends, find what is in use, and not a space as large as the machine's memory. Part
// of a NeighbourMemory; guarded by the lane's lock.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "platform/linux/file_part.hpp"

namespace antiphon::transport::shm {

struct Heap {
  const std::atomic<std::uint64_t>* address = nullptr;  // in its own process; 0 before the heap exists
  platform::FilePart part;                              // empty: there is no heap

  // Whether these bytes, by their address in the heap's own process, are in the heap.
  [[nodiscard]] bool holds(std::uint64_t first, std::size_t bytes) const noexcept {
    const std::uint64_t begin = address ? address->load(std::memory_order_acquire) : 0;
    return begin != 0 && first >= begin && bytes <= part.bytes && first - begin <= part.bytes - bytes;
  }
};

class PeerHeap {
 public:
  explicit PeerHeap(const Heap& heap) : heap_(heap) {}

  // Where this process has mapped these bytes; null if they are not in the heap, or it cannot be mapped.
  [[nodiscard]] std::byte* find(std::uint64_t first, std::size_t bytes) noexcept {
    if (!heap_.holds(first, bytes)) return nullptr;
    const std::uint64_t place = first - heap_.address->load(std::memory_order_relaxed);
    if (place + bytes > mapped_) [[unlikely]] {
      if (refused_) return nullptr;
      std::byte* const here = map_.grow(heap_.part, place + bytes);
      refused_ = here == nullptr;
      if (refused_) return nullptr;
      here_ = here;
      mapped_ = place + bytes;
    }
    return here_ + place;
  }

 private:
  Heap heap_;
  platform::GrowingMap map_;
  std::byte* here_ = nullptr;
  std::size_t mapped_ = 0;
  bool refused_ = false;
};

}  // namespace antiphon::transport::shm
