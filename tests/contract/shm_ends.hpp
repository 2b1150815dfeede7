// Two shared-memory transports over plain zero-filled memory, with bells of their own.
#pragma once

#include <array>
#include <atomic>
#include <cstdlib>
#include <vector>

#include "bootstrap/job_segment.hpp"
#include "ends.hpp"
#include "transport/shm/shm_transport.hpp"

namespace antiphon::contract {

class ShmEnds final : public Ends {
 public:
  // full_fence: as in a job with more ranks than cores. job_size: of a job whose rings these are.
  // threads: several of one end send and poll at once.
  explicit ShmEnds(bool full_fence, std::uint32_t job_size = 2, bool threads = false)
      : pair_bytes_(bootstrap::JobLayout{job_size}.pair_bytes()), memory_(4 * pair_bytes_ / sizeof(Page)) {
    for (int which = 0; which < 2; ++which)
      ends_[which] = std::make_unique<transport::shm::ShmTransport>(
          transport::shm::Layout{
              .self = which,
              .size = 2,
              .pair_bytes = pair_bytes_,
              .pair_area = [this](int from, int to) { return area(from, to); },
              .bell =
                  [this, full_fence](int rank) {
                    return transport::shm::Bell{&slots_[rank].sleeping, &slots_[rank].doorbell, full_fence};
                  },
              .process = [this](int rank) { return &slots_[rank].pid; },
              .threads = threads},
          watches_[which]);
  }
  transport::Transport& end(int which) override { return *ends_[which]; }
  bootstrap::RankSlot& slot(int which) { return slots_[which]; }

 private:
  struct alignas(4096) Page {
    std::byte bytes[4096];
  };
  std::byte* area(int from, int to) {
    return memory_[0].bytes + static_cast<std::size_t>(from * 2 + to) * pair_bytes_;
  }

  std::size_t pair_bytes_;
  std::vector<Page> memory_;
  bootstrap::RankSlot slots_[2] = {};
  transport::Watches watches_[2];
  std::unique_ptr<transport::shm::ShmTransport> ends_[2];
};

}  // namespace antiphon::contract
