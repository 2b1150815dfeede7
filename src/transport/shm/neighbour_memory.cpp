#include "transport/shm/neighbour_memory.hpp"

#include <new>

#include "platform/linux/cross_memory.hpp"

namespace antiphon::transport::shm {

static_assert(PeerMemory::kMostPieces <= platform::kMostPieces);

bool NeighbourMemory::find_process() noexcept try {
  const std::optional<Identity> told = node_.identity(peer_);
  if (!told) return false;
  std::uint64_t shown = 0;
  const base::Piece here{reinterpret_cast<std::byte*>(&shown), sizeof shown};
  const base::Piece there{reinterpret_cast<std::byte*>(told->address), sizeof shown};
  const bool read = platform::read_memory_of(told->pid, {&here, 1}, {&there, 1}, sizeof shown);
  found_ = read && shown == told->secret ? Process::right : Process::wrong;
  identity_ = *told;
  return found_ == Process::right;
} catch (const std::bad_alloc&) {
  return false;
}

bool NeighbourMemory::read(Pieces here, Pieces there, std::size_t bytes) noexcept {
  return is_right() && platform::read_memory_of(identity_.pid, here, there, bytes);
}

bool NeighbourMemory::write(Pieces here, Pieces there, std::size_t bytes) noexcept {
  return is_right() && identity_.sees_writes_of_others != 0 &&
         platform::write_memory_of(identity_.pid, here, there, bytes);
}

std::byte* NeighbourMemory::mapped(std::uint64_t address, std::size_t bytes) noexcept {
  if (!heap_) heap_.reset(new (std::nothrow) PeerHeap(node_.heap(peer_)));
  return heap_ ? heap_->find(address, bytes) : nullptr;
}

bool NeighbourMemory::is_mapped_by_peer(const std::byte* mine, std::size_t bytes) noexcept {
  return node_.heap(node_.self).holds(reinterpret_cast<std::uintptr_t>(mine), bytes);
}

}  // namespace antiphon::transport::shm
