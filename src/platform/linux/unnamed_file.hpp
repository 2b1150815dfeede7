// A file without a name, for memory that processes share. It vanishes with the last process that has it, however that
// ends.
#pragma once

#include <string>
#include <vector>

namespace antiphon::platform {

// Where such files can be, in the order in which to try: kSystemMemory, which is limited only by the system's memory,
// then folders, whose file systems may be smaller: /dev/shm, the folder in TMPDIR, and /tmp.
[[nodiscard]] std::vector<std::string> places_of_unnamed_files();
inline constexpr const char* kSystemMemory = "memfd_create";

// Opens such a file, readable and writable by this user, close-on-exec. /proc shows `purpose` as its name. Returns -1
// and sets errno on failure.
[[nodiscard]] int open_unnamed_file(const std::string& place, const char* purpose);

}  // namespace antiphon::platform
