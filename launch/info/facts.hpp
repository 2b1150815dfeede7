// What antiphon-info knows: facts of the build, facts of the library that a program started here would load, and the
// table of procedures. As JSON values, in the order in which they are shown; main.cpp prints them.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "api/procedures.hpp"

namespace antiphon::info {

using Json = nlohmann::ordered_json;

// An object of strings, numbers and lists of strings: the build, the library, the machine.
Json installation();

// In the order of their chapters.
std::vector<api::ProcedureEntry> missing_procedures();

}  // namespace antiphon::info
