// What a process publishes for others on its node, so that they can copy from and to its memory and check that it is
// the right process. Sent as bytes; it never changes.
#pragma once

#include <cstdint>

namespace antiphon::transport::shm {

struct Identity {
  std::uint64_t secret = 0;   // random
  std::uint64_t address = 0;  // where the process has this number in its own memory
  std::int32_t pid = 0;
  std::uint32_t sees_writes_of_others = 0;
};

}  // namespace antiphon::transport::shm
