// Marks that other launchers leave in the environment. A process that sees one belongs to a job of several processes
// which Antiphon cannot join; it must stop, not run as one of N lonely singletons that all overwrite the same files.
#pragma once

#include <optional>
#include <string>

#include "bootstrap/environment.hpp"

namespace antiphon::bootstrap {

// Set to 1, it makes a process a singleton whatever launcher it sees.
inline constexpr const char* kSingletonVariable = "ANTIPHON_SINGLETON";

// What to tell the user, or nothing where no foreign launcher started more than this one process.
std::optional<std::string> foreign_launcher(const Environment& environment);

}  // namespace antiphon::bootstrap
