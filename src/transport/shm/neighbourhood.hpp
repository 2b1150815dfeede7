// What the processes of one node share, as one of them sees it, indexed by rank on the node. Whoever hosts a process
// fills it in; constant afterwards.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>

#include "base/written.hpp"
#include "transport/shm/bell.hpp"
#include "transport/shm/identity.hpp"
#include "transport/shm/inbox.hpp"
#include "transport/shm/peer_heap.hpp"

namespace antiphon::transport::shm {

struct Neighbourhood {
  int self = 0;
  int size = 1;
  std::function<int(int process)> rank_of = std::identity();  // of a process of this node
  std::function<int(int rank)> process_of = std::identity();

  // The inboxes of all ranks, one after the other; zero at first.
  std::byte* inboxes = nullptr;
  std::size_t inbox_bytes = 0;
  // The rings that each rank can give to frequent senders.
  std::byte* rings = nullptr;
  int rings_each = 0;
  std::size_t ring_bytes = 0;
  // The pipes that each rank can lend to senders of long messages: the positions of all pipes, and the memory that
  // the pipes of each rank share.
  std::byte* pipe_positions = nullptr;
  std::byte* pipes = nullptr;
  int pipes_each = 0;
  std::size_t pipe_bytes = 0;
  // False if pages that were given back might not be available again.
  bool may_give_back_pages = true;
  // How many recent packets make a frequent sender (Talk).
  int much = 1;

  std::function<Bell(int rank)> bell;
  std::function<void(const Identity& mine)> publish;
  std::function<std::optional<Identity>(int rank)> identity;  // empty until that rank has published it
  std::function<Heap(int rank)> heap = [](int) { return Heap(); };
  std::optional<base::Written> written = {};  // how long payloads are written; empty: as has been learned
  bool threads = false;                       // several threads of this process send and poll at the same time

  [[nodiscard]] Inbox inbox(int rank) const {
    return {inboxes + static_cast<std::size_t>(rank) * inbox_bytes, inbox_bytes, size};
  }
  // A ring in which another rank sends to `rank`.
  [[nodiscard]] std::byte* ring(int rank, int number) const {
    return rings + (static_cast<std::size_t>(rank) * static_cast<std::size_t>(rings_each) +
                    static_cast<std::size_t>(number)) *
                       ring_bytes;
  }
  // A pipe through which another rank sends to `rank`.
  [[nodiscard]] Pipe pipe(int rank, unsigned number, const PipeBlock& block) const {
    const auto which = static_cast<std::size_t>(rank);
    auto* const positions = reinterpret_cast<Pipe::Positions*>(pipe_positions);
    return {positions + which * static_cast<std::size_t>(pipes_each) + number,
            {pipes + which * pipe_bytes + block.offset, block.bytes}};
  }
};

}  // namespace antiphon::transport::shm
