// Settings that info hints of a communicator change for it alone: antiphon_NAME for each NAME that says how a
// collective is done. Pure functions.
#pragma once

#include <string_view>

#include "settings/values.hpp"

namespace antiphon::process {

// Whether `key` is the hint of such a setting and `value` one of its choices, which `values` then has.
bool set_by_hint(std::string_view key, std::string_view value, settings::Values& values);

}  // namespace antiphon::process
