// Which parts of the machine the calling thread may run on, by which MPI_Comm_split_type divides communicators. Read
// from sysfs when asked for, so a program that does not ask pays nothing. Kernels and containers may show only some
// of the parts.
#pragma once

#include <array>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

namespace antiphon::platform {

// From the largest part to the smallest, by hwloc's names.
inline constexpr char kHardwareTypes[][12] = {"Machine", "Package", "NUMANode", "L3Cache",
                                              "L2Cache", "L1Cache", "Core",     "PU"};

// For each of kHardwareTypes the part on which the calling thread may run, by the number of its first CPU; nothing if
// it may run on several, or if the system does not tell.
using Whereabouts = std::array<std::optional<int>, std::size(kHardwareTypes)>;
[[nodiscard]] Whereabouts whereabouts();

// The same for a thread that may run on `cpus`, with the files of sysfs(5) under `root` ("" on a real system).
[[nodiscard]] Whereabouts whereabouts(const std::vector<int>& cpus, const std::string& root);

}  // namespace antiphon::platform
