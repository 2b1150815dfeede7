#include "transport/shm/neighbour_memory.hpp"

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
  const std::uint64_t secret = identity_.secret.load(std::memory_order_acquire);
  if (secret == 0) return false;
  std::uint64_t shown = 0;
  const base::Piece here{reinterpret_cast<std::byte*>(&shown), sizeof shown};
  const base::Piece there{reinterpret_cast<std::byte*>(identity_.address.load(std::memory_order_relaxed)),
                          sizeof shown};
  const bool read = platform::read_memory_of(*process_, {&here, 1}, {&there, 1}, sizeof shown);
  found_ = read && shown == secret ? Process::right : Process::wrong;
  return found_ == Process::right;
}

bool NeighbourMemory::read(Pieces here, Pieces there, std::size_t bytes) noexcept {
  return is_right() && platform::read_memory_of(*process_, here, there, bytes);
}

bool NeighbourMemory::write(Pieces here, Pieces there, std::size_t bytes) noexcept {
  return is_right() && identity_.sees_writes_of_others.load(std::memory_order_relaxed) != 0 &&
         platform::write_memory_of(*process_, here, there, bytes);
}

}  // namespace antiphon::transport::shm
