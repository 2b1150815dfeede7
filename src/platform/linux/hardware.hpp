// Which parts of the machine the calling thread may run on: what MPI_Comm_split_type divides by. Read from sysfs when
// asked, so a program that does not ask pays nothing. Kernels and containers that tell less give less.
#pragma once

#include <array>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

namespace antiphon::platform {

// From the whole to its parts. The names are those that hwloc uses.
inline constexpr char kHardwareTypes[][12] = {"Machine", "Package", "NUMANode", "L3Cache",
                                              "L2Cache", "L1Cache", "Core",     "PU"};

// For each of kHardwareTypes the one part of that type on which the calling thread may run, by the number of its
// first cpu; nothing where it may run on several, or the system does not tell.
using Whereabouts = std::array<std::optional<int>, std::size(kHardwareTypes)>;
[[nodiscard]] Whereabouts whereabouts();

// Where a thread is that may run on `cpus`, with the files of sysfs(5) under `root` ("" on a real system).
[[nodiscard]] Whereabouts whereabouts(const std::vector<int>& cpus, const std::string& root);

}  // namespace antiphon::platform
