#include "transport/shm/neighbour_memory.hpp"

#include <new>

#include "platform/linux/cross_memory.hpp"

namespace antiphon::transport::shm {

static_assert(PeerMemory::kMostPieces <= platform::kMostPieces);

void Identity::publish(const std::uint64_t& mine) noexcept {
  address.store(reinterpret_cast<std::uintptr_t>(&mine), std::memory_order_relaxed);
  sees_writes_of_others.store(platform::sees_writes_of_others() ? 1 : 0, std::memory_order_relaxed);
  secret.store(mine, std::memory_order_release);
}

bool NeighbourMemory::is_right() noexcept {
  if (found_ != Process::unknown) [[likely]]
    return found_ == Process::right;
  const Identity& identity = node_.inbox(peer_).identity();
  const std::uint64_t secret = identity.secret.load(std::memory_order_acquire);
  if (secret == 0) return false;
  std::uint64_t shown = 0;
  const base::Piece here{reinterpret_cast<std::byte*>(&shown), sizeof shown};
  const base::Piece there{reinterpret_cast<std::byte*>(identity.address.load(std::memory_order_relaxed)),
                          sizeof shown};
  const bool read = platform::read_memory_of(*node_.pid(peer_), {&here, 1}, {&there, 1}, sizeof shown);
  found_ = read && shown == secret ? Process::right : Process::wrong;
  return found_ == Process::right;
}

bool NeighbourMemory::read(Pieces here, Pieces there, std::size_t bytes) noexcept {
  return is_right() && platform::read_memory_of(*node_.pid(peer_), here, there, bytes);
}

bool NeighbourMemory::write(Pieces here, Pieces there, std::size_t bytes) noexcept {
  return is_right() && node_.inbox(peer_).identity().sees_writes_of_others.load(std::memory_order_relaxed) != 0 &&
         platform::write_memory_of(*node_.pid(peer_), here, there, bytes);
}

std::byte* NeighbourMemory::mapped(std::uint64_t address, std::size_t bytes) noexcept {
  if (!heap_) heap_.reset(new (std::nothrow) PeerHeap(node_.heap(peer_)));
  return heap_ ? heap_->find(address, bytes) : nullptr;
}

bool NeighbourMemory::is_mapped_by_peer(const std::byte* mine, std::size_t bytes) noexcept {
  return node_.heap(node_.self).holds(reinterpret_cast<std::uintptr_t>(mine), bytes);
}

}  // namespace antiphon::transport::shm
