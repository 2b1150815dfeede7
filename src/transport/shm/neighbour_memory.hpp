// The memory of another process of this node. What the peer has allocated for others is mapped here; the rest is
// read and written by system calls of the one that copies. A process is named by a number there,
// and in a container of its own the same number may belong to another process: so nothing is copied before the
// process at that number has shown the secret that the rank has published. One for each peer, inside its channel;
// used by the process's one lane.
#pragma once

#include <atomic>

#include "transport/peer_memory.hpp"
#include "transport/shm/peer_heap.hpp"
#include "transport/shm/ring.hpp"

namespace antiphon::transport::shm {

// What tells a process from all others, and how it may be treated. In shared memory, zero until its process has come.
struct Identity {
  std::atomic<std::uint64_t> secret;   // random
  std::atomic<std::uint64_t> address;  // of the same number in the process's own memory
  std::atomic<std::uint32_t> sees_writes_of_others;

  // `mine` stays where it is as long as others may ask.
  void publish(const std::uint64_t& mine) noexcept;
};

class NeighbourMemory final : public PeerMemory {
 public:
  NeighbourMemory(const std::atomic<std::int32_t>* process, const Identity& identity, RingArea& to_peer,
                  RingArea& from_peer, PeerHeap heap = {}, PeerHeap my_heap = {})
      : process_(process),
        identity_(identity),
        to_peer_(to_peer),
        from_peer_(from_peer),
        heap_(std::move(heap)),
        my_heap_(std::move(my_heap)) {}

  bool read(Pieces here, Pieces there, std::size_t bytes) noexcept override;
  bool write(Pieces here, Pieces there, std::size_t bytes) noexcept override;
  std::byte* mapped(std::uint64_t address, std::size_t bytes) noexcept override { return heap_.find(address, bytes); }
  bool is_mapped_by_peer(const std::byte* mine, std::size_t bytes) noexcept override {
    return my_heap_.holds(reinterpret_cast<std::uintptr_t>(mine), bytes);
  }
  SharedWork& mine(unsigned number) noexcept override { return to_peer_.works[number]; }
  SharedWork& theirs(unsigned number) noexcept override { return from_peer_.works[number]; }

 private:
  enum class Process { unknown, right, wrong };
  [[nodiscard]] bool is_right() noexcept;

  const std::atomic<std::int32_t>* process_;
  const Identity& identity_;
  RingArea& to_peer_;
  RingArea& from_peer_;
  PeerHeap heap_;
  PeerHeap my_heap_;
  Process found_ = Process::unknown;
};

}  // namespace antiphon::transport::shm
