// Environment variables that other launchers set. A process that finds one, and no process manager that it can talk
// to (managers/find_manager.hpp), belongs to a job of several processes that Antiphon cannot join. It must stop, and
// not run as one of N singletons that all write the same files.
#pragma once

#include <optional>
#include <string>

#include "bootstrap/environment.hpp"

namespace antiphon::bootstrap {

// Set to 1, it makes a process a singleton whatever launcher it sees.
inline constexpr const char* kSingletonVariable = "ANTIPHON_SINGLETON";

// What to tell the user, or nothing where no foreign launcher started more than this one process. To be asked when
// there is no process manager.
std::optional<std::string> foreign_launcher(const Environment& environment);

}  // namespace antiphon::bootstrap
