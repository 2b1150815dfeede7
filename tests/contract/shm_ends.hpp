// Shared-memory transports over plain zero-filled memory, with bells of their own. Tests say how much has to be sent
// for a ring, and how many rings there are.
#pragma once

#include <array>
#include <atomic>
#include <cstdlib>
#include <deque>
#include <vector>

#include "bootstrap/job_segment.hpp"
#include "ends.hpp"
#include "transport/shm/shm_transport.hpp"

namespace antiphon::contract {

struct ShmSetup {
  bool full_fence = false;     // as in a job with more ranks than cores
  std::uint32_t job_size = 2;  // of a job whose queues and rings these are, in size
  bool threads = false;        // several of one end send and poll at once
  int ends = 2;
  int rings_each = 1;
  int pipes_each = 0;
  int much = 1;  // packets of late that make a ring
};

class ShmEnds : public Ends {
 public:
  explicit ShmEnds(const ShmSetup& setup = {})
      : setup_(setup),
        layout_{setup.job_size},
        inboxes_(static_cast<std::size_t>(setup.ends) * layout_.inbox_bytes() / sizeof(Page)),
        rings_(static_cast<std::size_t>(setup.ends * setup.rings_each) * layout_.ring_bytes() / sizeof(Page)),
        pipe_positions_(static_cast<std::size_t>(setup.ends * setup.pipes_each)),
        pipes_(static_cast<std::size_t>(setup.ends) * (setup.pipes_each == 0 ? 0 : layout_.pipe_bytes) /
               sizeof(Page)),
        slots_(static_cast<std::size_t>(setup.ends)),
        identities_(static_cast<std::size_t>(setup.ends)),
        watches_(slots_.size()) {
    for (int which = 0; which < setup.ends; ++which)
      ends_.push_back(std::make_unique<transport::shm::ShmTransport>(neighbourhood(which),
                                                                     watches_[static_cast<std::size_t>(which)]));
  }
  transport::Transport& end(int which) override { return *ends_[static_cast<std::size_t>(which)]; }
  bootstrap::RankSlot& slot(int which) { return slots_[static_cast<std::size_t>(which)]; }
  // Whether `from` sends to `to` in a ring of its own.
  [[nodiscard]] bool has_ring(int from, int to) { return neighbourhood(to).inbox(to).offer(from).is_taken(); }

 private:
  struct alignas(4096) Page {
    std::byte bytes[4096];
  };
  static std::byte* memory(std::vector<Page>& pages) { return pages.empty() ? nullptr : pages.front().bytes; }

  transport::shm::Neighbourhood neighbourhood(int which) {
    return {
        .self = which,
        .size = setup_.ends,
        .inboxes = memory(inboxes_),
        .inbox_bytes = layout_.inbox_bytes(),
        .rings = memory(rings_),
        .rings_each = setup_.rings_each,
        .ring_bytes = layout_.ring_bytes(),
        .pipe_positions = reinterpret_cast<std::byte*>(pipe_positions_.data()),
        .pipes = memory(pipes_),
        .pipes_each = setup_.pipes_each,
        .pipe_bytes = layout_.pipe_bytes,
        .much = setup_.much,
        .bell =
            [this](int rank) {
              return transport::shm::Bell{&slot(rank).sleeping, &slot(rank).doorbell, setup_.full_fence};
            },
        .publish = [this, which](
                       const transport::shm::Identity& mine) { identities_[static_cast<std::size_t>(which)] = mine; },
        .identity = [this](int rank) { return identities_[static_cast<std::size_t>(rank)]; },
        .threads = setup_.threads};
  }

  ShmSetup setup_;
  bootstrap::JobLayout layout_;
  std::vector<Page> inboxes_;
  std::vector<Page> rings_;
  std::vector<transport::Pipe::Positions> pipe_positions_;
  std::vector<Page> pipes_;
  std::vector<bootstrap::RankSlot> slots_;
  std::vector<std::optional<transport::shm::Identity>> identities_;
  std::vector<transport::Watches> watches_;
  std::vector<std::unique_ptr<transport::shm::ShmTransport>> ends_;
};

}  // namespace antiphon::contract
