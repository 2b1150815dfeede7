// Info hints that change settings for one communicator: antiphon_NAME for each setting NAME that chooses the
// algorithm of a collective. Pure functions.
#pragma once

#include <string_view>

#include "settings/values.hpp"

namespace antiphon::process {

// If `key` is such a hint and `value` a valid choice, sets it in `values` and returns true.
bool set_by_hint(std::string_view key, std::string_view value, settings::Values& values);

}  // namespace antiphon::process
