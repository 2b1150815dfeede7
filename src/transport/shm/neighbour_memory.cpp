#include "transport/shm/neighbour_memory.hpp"

#include "platform/linux/cross_memory.hpp"

namespace antiphon::transport::shm {

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
  const bool read = platform::read_memory_of(*process_, reinterpret_cast<std::byte*>(&shown),
                                             identity_.address.load(std::memory_order_relaxed), sizeof shown);
  found_ = read && shown == secret ? Process::right : Process::wrong;
  return found_ == Process::right;
}

bool NeighbourMemory::read(std::byte* to, std::uint64_t address, std::size_t bytes) noexcept {
  return is_right() && platform::read_memory_of(*process_, to, address, bytes);
}

bool NeighbourMemory::write(std::uint64_t address, const std::byte* from, std::size_t bytes) noexcept {
  return is_right() && identity_.sees_writes_of_others.load(std::memory_order_relaxed) != 0 &&
         platform::write_memory_of(*process_, address, from, bytes);
}

}  // namespace antiphon::transport::shm
