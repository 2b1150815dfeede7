// From argv to JobOptions: `mpiexec [options] program arguments : [options] program arguments ...` (MPI 5.0, 11.5).
// Options stand before the program they belong to; the first word that is none is the program, and everything up to
// the next lone colon is the program's own. Spellings that users of MPICH and Open MPI type are understood, with one
// dash or two.
#pragma once

#include <span>
#include <string>
#include <variant>

#include "mpiexec/options.hpp"

namespace antiphon::launch {

struct HelpRequest {};
struct VersionRequest {};
using Request = std::variant<JobOptions, HelpRequest, VersionRequest>;

// `arguments` without the program's own name. Throws Failure{kExitUsage} with a sentence that names the option, its
// value and what is valid.
Request parse_command_line(std::span<const std::string> arguments);

}  // namespace antiphon::launch
