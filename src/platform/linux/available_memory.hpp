// How much memory this process can allocate before the kernel kills a process: the memory that the kernel calls
// available, within the limits of the process's control groups.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace antiphon::platform {

// In bytes; SIZE_MAX if the system does not tell. proc(5) and the cgroup file system are below `root` ("" on a real
// system).
[[nodiscard]] std::size_t available_memory(const std::string& root = "");

// How often the kernel has killed a process of this process's control group for lack of memory; 0 if it does not
// tell.
[[nodiscard]] std::uint64_t memory_kills(const std::string& root = "");

}  // namespace antiphon::platform
