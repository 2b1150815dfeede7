// How much memory this process can still allocate before the kernel kills a process: what the kernel calls
// available, within the limits of the control groups that the process is in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace antiphon::platform {

// SIZE_MAX where the system does not tell. proc(5) and the cgroup file system are below `root` ("" on a real system).
[[nodiscard]] std::size_t available_memory(const std::string& root = "");

// How often the kernel has killed a process of this process's control group because there was no memory left; 0 where
// it does not tell.
[[nodiscard]] std::uint64_t memory_kills(const std::string& root = "");

}  // namespace antiphon::platform
