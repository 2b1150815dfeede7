// Parses the command line into JobOptions: `mpiexec [options] program arguments : [options] program arguments ...`
// (MPI 5.0, 11.5). Options precede their program. The first word that is not an option is the program, and all words
// up to the next lone colon belong to it. Common options of MPICH and Open MPI are accepted, with one dash or two.
#pragma once

#include <span>
#include <string>
#include <variant>

#include "mpiexec/options.hpp"

namespace antiphon::launch {

struct HelpRequest {};
struct VersionRequest {};
using Request = std::variant<JobOptions, HelpRequest, VersionRequest>;

// `arguments` without argv[0]. Throws Failure{kExitUsage}, whose message names the option, its value and what is
// valid.
Request parse_command_line(std::span<const std::string> arguments);

}  // namespace antiphon::launch
