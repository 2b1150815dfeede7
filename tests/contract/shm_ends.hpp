// Two shared-memory transports over plain zero-filled memory, with bells of their own.
#pragma once

#include <array>
#include <atomic>
#include <cstdlib>

#include "bootstrap/job_segment.hpp"
#include "ends.hpp"
#include "transport/shm/shm_transport.hpp"

namespace antiphon::contract {

class ShmEnds final : public Ends {
 public:
  // full_fence: as in a job with more ranks than cores.
  explicit ShmEnds(bool full_fence) {
    for (int which = 0; which < 2; ++which)
      ends_[which] = std::make_unique<transport::shm::ShmTransport>(transport::shm::Layout{
          .self = which,
          .size = 2,
          .pair_area = [this](int from, int to) { return area(from, to); },
          .bell =
              [this, full_fence](int rank) {
                return transport::shm::Bell{&slots_[rank].sleeping, &slots_[rank].doorbell, full_fence};
              }});
  }
  transport::Transport& end(int which) override { return *ends_[which]; }
  bootstrap::RankSlot& slot(int which) { return slots_[which]; }

 private:
  struct alignas(4096) Page {
    std::byte bytes[bootstrap::kPairBytes];
  };
  std::byte* area(int from, int to) const { return areas_[from * 2 + to].bytes; }

  std::unique_ptr<Page[]> areas_ = std::make_unique<Page[]>(4);
  bootstrap::RankSlot slots_[2] = {};
  std::unique_ptr<transport::shm::ShmTransport> ends_[2];
};

}  // namespace antiphon::contract
