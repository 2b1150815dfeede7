// The memory of another process of this node. What the peer has allocated for other processes is mapped here; the
// rest is read and written by system calls of the copying process. These name a process by its id, which may belong
// to a different process in another container. So nothing is copied before the process with that id has shown the
// secret number that the rank has published. One for each peer, owned by the transport; guarded by the lane's lock.
#pragma once

#include <memory>

#include "platform/linux/pages.hpp"
#include "transport/peer_memory.hpp"
#include "transport/shm/neighbourhood.hpp"

namespace antiphon::transport::shm {

class NeighbourMemory final : public PeerMemory {
 public:
  NeighbourMemory(const Neighbourhood& node, int peer) : node_(node), peer_(peer), bell_(node.bell(peer)) {}

  [[nodiscard]] const Neighbourhood& node() const { return node_; }
  [[nodiscard]] int peer() const { return peer_; }

  bool read(Pieces here, Pieces there, std::size_t bytes) noexcept override;
  bool write(Pieces here, Pieces there, std::size_t bytes) noexcept override;
  std::byte* mapped(std::uint64_t address, std::size_t bytes) noexcept override;
  bool is_mapped_by_peer(const std::byte* mine, std::size_t bytes) noexcept override;
  SharedWork& mine(unsigned number) noexcept override { return node_.inbox(node_.self).work(number); }
  SharedWork& theirs(unsigned number) noexcept override { return node_.inbox(peer_).work(number); }
  unsigned pipes() const noexcept override { return static_cast<unsigned>(node_.pipes_each); }
  std::size_t pipe_memory() const noexcept override { return node_.pipe_bytes; }
  Pipe my_pipe(unsigned number, const PipeBlock& block) noexcept override {
    return node_.pipe(node_.self, number, block);
  }
  Pipe their_pipe(unsigned number, const PipeBlock& block) noexcept override {
    return node_.pipe(peer_, number, block);
  }
  void populate(const Pipe& pipe) noexcept override { platform::populate(pipe.memory()); }
  void release(const PipeBlock& block) noexcept override {
    if (node_.may_give_back_pages) platform::give_back(node_.pipe(node_.self, 0, block).memory());
  }
  void wake() noexcept override { bell_.ring_if_asleep(); }

 private:
  enum class Process : std::uint8_t { unknown, right, wrong };
  [[nodiscard]] bool is_right() noexcept {
    return found_ == Process::unknown ? find_process() : found_ == Process::right;
  }
  [[nodiscard]] bool find_process() noexcept;

  const Neighbourhood& node_;
  int peer_;
  Bell bell_;
  Process found_ = Process::unknown;
  Identity identity_;               // of the process that was found
  std::unique_ptr<PeerHeap> heap_;  // created with the first address that is looked for
};

}  // namespace antiphon::transport::shm
