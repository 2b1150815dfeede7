// What Linux tells about a process.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>

namespace antiphon::platform {

struct ProcessStat {
  pid_t parent = 0;
  std::uint64_t cpu_ms = 0;  // in user code and in the system
};

// Nothing if there is no such process any more.
[[nodiscard]] std::optional<ProcessStat> process_stat(pid_t pid);

// Whether the calling process descends from `pid`.
[[nodiscard]] bool is_ancestor(pid_t pid);

// Whether a thread of the process is stopped: by SIGSTOP, SIGTSTP and similar signals, which stop all threads, or by
// a debugger, which may stop one. by_nobody if there is no such process.
enum class Stopped { by_nobody, by_signal, by_tracer };
[[nodiscard]] Stopped who_stopped(pid_t pid);

}  // namespace antiphon::platform
