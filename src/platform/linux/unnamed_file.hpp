// A file without a name, for memory that processes share: gone with the last of them that has it, however they end.
#pragma once

#include <string>
#include <vector>

namespace antiphon::platform {

// Where such files can be, in the order in which to try them: kSystemMemory, which has as many pages as the system
// has, then folders, whose file systems may have fewer: /dev/shm, what TMPDIR names, and /tmp.
[[nodiscard]] std::vector<std::string> places_of_unnamed_files();
inline constexpr const char* kSystemMemory = "memfd_create";

// Readable and writable by this user; closes on exec. `purpose` is what /proc calls it. -1 and errno where it cannot
// be.
[[nodiscard]] int open_unnamed_file(const std::string& place, const char* purpose);

}  // namespace antiphon::platform
