// Finds the file that a command names before any rank is started, so that a mistake is reported once and not by
// every rank.
#pragma once

#include <string>

#include "node/description.hpp"

namespace antiphon::launch {

// The path to execute for `app`: its first word if that contains a slash; otherwise the program of that name in
// -path, in PATH as the rank will see it, or in the working directory. Throws Failure with 127 (no such file), 126
// (not executable), or 2 (no such working directory).
std::string find_program(const App& app);

}  // namespace antiphon::launch
