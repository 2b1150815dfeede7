// How the ranks of a node get its segment where no launcher of ours has made it: they meet at the lowest of them,
// which listens under a name in the abstract name space. Each tells it what the segment has to say about that rank,
// and gets the descriptors. Used once, while a process joins its job.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "bootstrap/local_socket.hpp"

namespace antiphon::bootstrap {

// Of up to 8192 processors, as the system has it.
using CpuMask = std::array<std::uint64_t, 128>;
[[nodiscard]] CpuMask cpus_of_this_process();

// What a rank says when it comes.
struct RankArrival {
  std::array<std::byte, 16> token;  // of the address: who has it is a rank of this job
  std::int32_t rank;                // in MPI_COMM_WORLD
  std::int32_t appnum;
  CpuMask cpus;
};

// The lowest rank's side.
class SegmentMeeting {
 public:
  // Every rank begins one, before it knows whether it is the lowest. Fails with ERR_OTHER.
  SegmentMeeting();

  [[nodiscard]] const LocalAddress& address() const { return listener_.address; }
  // Waits until that many other ranks have come. A process that is none of this job is sent away.
  [[nodiscard]] std::vector<RankArrival> await(int others);
  // Gives all of them these descriptors. One that has died meanwhile is for the launcher to notice.
  void hand_out(std::span<const int> descriptors);

 private:
  LocalListener listener_;
  std::vector<platform::OwnedDescriptor> guests_;
};

// The other ranks' side: what the lowest rank hands out. Fails with ERR_OTHER where it cannot be reached, or ends.
[[nodiscard]] std::vector<platform::OwnedDescriptor> attend(const LocalAddress& address, RankArrival me, int lowest);

}  // namespace antiphon::bootstrap
