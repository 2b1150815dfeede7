// What Linux tells of any process, be it one's own or not.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>

namespace antiphon::platform {

struct ProcessStat {
  pid_t parent = 0;
  std::uint64_t cpu_ms = 0;  // in user code and in the system
};

// Nothing, where there is no such process any more.
[[nodiscard]] std::optional<ProcessStat> process_stat(pid_t pid);

}  // namespace antiphon::platform
