// What a rank waits for, in the terms of its current call, for hang reports. Holds pointers to strings, which must
// outlive the wait.
#pragma once

#include <cstdint>

namespace antiphon::base {

struct WaitReason {
  static constexpr int kAnyPeer = -1, kNoPeer = -3, kAnyTag = -2, kNoTag = -3;

  const char* communicator = "";
  int peer = kNoPeer;  // rank of the job
  int tag = kNoTag;
  std::int64_t bytes = -1;
};

}  // namespace antiphon::base
