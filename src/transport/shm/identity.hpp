// What a process publishes for the others of its node, so that they can copy from and to its memory and be sure
// that it is the right process. Sent as bytes; it never changes.
#pragma once

#include <cstdint>

namespace antiphon::transport::shm {

struct Identity {
  std::uint64_t secret = 0;   // random
  std::uint64_t address = 0;  // of the same number in the process's own memory
  std::int32_t pid = 0;
  std::uint32_t sees_writes_of_others = 0;
};

}  // namespace antiphon::transport::shm
