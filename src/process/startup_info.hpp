// How this process was started, as info keys (MPI 5.0, 11.2.1 and 11.8.4), for MPI_INFO_ENV and
// MPI_Info_create_env. Asks the operating system only, so the answer is the same before and after MPI_Init.
#pragma once

#include <span>

#include "objects/info.hpp"

namespace antiphon::process {

// With the command line from /proc/self/cmdline.
[[nodiscard]] objects::Ref<objects::Info> startup_info();
// With the command line that main() got: the command and its arguments.
[[nodiscard]] objects::Ref<objects::Info> startup_info(std::span<char* const> command_line);

}  // namespace antiphon::process
