// Memory for windows, from this process's heap in the job segment, and that of others, from theirs. Owned by the
// Process; guarded by the lane's lock.
#pragma once

#include <functional>
#include <unordered_set>

#include "process/allocations.hpp"
#include "service/window_memory.hpp"
#include "transport/shm/peer_heap.hpp"

namespace antiphon::process {

class WindowMemory final : public service::WindowMemory {
 public:
  using HeapOf = std::function<transport::shm::PeerHeap(int world_rank)>;

  WindowMemory(Allocations& allocations, int world_rank, bool can_share, HeapOf heap_of)
      : allocations_(allocations), world_rank_(world_rank), can_share_(can_share), heap_of_(std::move(heap_of)) {}

  [[nodiscard]] void* allocate(std::size_t bytes, std::size_t alignment, Visible visible) override;
  void free(void* start) override;
  [[nodiscard]] bool can_share() const override { return can_share_; }
  [[nodiscard]] std::byte* find(int world_rank, std::uint64_t address, std::size_t bytes) override;

  // Whether a window has this memory, which only its end gives back.
  [[nodiscard]] bool holds(void* start) const { return pieces_.contains(start); }

 private:
  Allocations& allocations_;
  int world_rank_;
  bool can_share_;
  HeapOf heap_of_;
  std::unordered_set<void*> pieces_;
};

}  // namespace antiphon::process
