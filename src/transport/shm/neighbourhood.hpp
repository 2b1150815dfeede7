// What the processes of one node share, as one of them sees it, indexed by rank on the node. Set up by the host of
// a process; constant.
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
  std::function<int(int process)> rank_of = std::identity();  // fails for a process of another node
  std::function<int(int rank)> process_of = std::identity();

  // Each one's memory for the others, one after the other, zero-filled at first.
  std::byte* inboxes = nullptr;
  std::size_t inbox_bytes = 0;
  // The rings that each has to give to those who send much to it.
  std::byte* rings = nullptr;
  int rings_each = 0;
  std::size_t ring_bytes = 0;
  // The pipes that each has to lend to those who send long messages to it: the positions of all, and the memory that
  // those of one share.
  std::byte* pipe_positions = nullptr;
  std::byte* pipes = nullptr;
  int pipes_each = 0;
  std::size_t pipe_bytes = 0;
  // Else pages that were given back may not be had again.
  bool may_give_back_pages = true;
  // So many packets of late make one that sends much.
  int much = 1;

  std::function<Bell(int rank)> bell;
  std::function<void(const Identity& mine)> publish;
  std::function<std::optional<Identity>(int rank)> identity;  // nothing before that rank has published it
  std::function<Heap(int rank)> heap = [](int) { return Heap(); };
  std::optional<base::Written> written = {};  // how long payloads are, if that is not to be learned
  bool threads = false;                       // several of this process's send and poll at once

  [[nodiscard]] Inbox inbox(int rank) const {
    return {inboxes + static_cast<std::size_t>(rank) * inbox_bytes, inbox_bytes, size};
  }
  // Of those in which others send to `rank`.
  [[nodiscard]] std::byte* ring(int rank, int number) const {
    return rings + (static_cast<std::size_t>(rank) * static_cast<std::size_t>(rings_each) +
                    static_cast<std::size_t>(number)) *
                       ring_bytes;
  }
  // Of those through which others send to `rank`.
  [[nodiscard]] Pipe pipe(int rank, unsigned number, const PipeBlock& block) const {
    const auto which = static_cast<std::size_t>(rank);
    auto* const positions = reinterpret_cast<Pipe::Positions*>(pipe_positions);
    return {positions + which * static_cast<std::size_t>(pipes_each) + number,
            {pipes + which * pipe_bytes + block.offset, block.bytes}};
  }
};

}  // namespace antiphon::transport::shm
