// What antiphon-info prints: facts about the build and about the library that a program started here would load, the
// table of procedures, the settings, and how algorithms of collectives are chosen. As JSON values, in the order in
// which main.cpp prints them.
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

// A list of objects of strings, one for each setting, with the value that a job started here would have. Throws
// base::Error if the environment has an invalid setting.
Json settings();

// A list of objects, one for each operation, number of ranks and number of bytes: the algorithm that a job on this
// machine would use, whether a setting chose it, and the predicted time of each algorithm in microseconds. Throws as
// settings() does.
Json collectives();

}  // namespace antiphon::info
