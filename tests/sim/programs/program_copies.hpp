// A program that was compiled as a shared object, loaded once for each rank, so that each has its own copy of the
// program's globals. The copies are files in memory, since the dynamic linker loads one file once.
#pragma once

#include <string>
#include <vector>

namespace antiphon::sim {

using Main = int (*)(int, char**, char**);

// The main() of each copy. Throws std::runtime_error where there is none.
[[nodiscard]] std::vector<Main> load_copies(const std::string& path, int copies);

}  // namespace antiphon::sim
