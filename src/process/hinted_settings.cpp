#include "process/hinted_settings.hpp"

#include <algorithm>

#include "settings/text.hpp"

namespace antiphon::process {

bool set_by_hint(std::string_view key, std::string_view value, settings::Values& values) {
  constexpr std::string_view kPrefix = "antiphon_", kCollectives = "engine/coll/plans/";
  if (!key.starts_with(kPrefix)) return false;
  key.remove_prefix(kPrefix.size());
  for (const settings::Setting& setting : settings::all()) {
    if (setting.name != key || !setting.where.starts_with(kCollectives)) continue;
    const auto choice = std::ranges::find(setting.choices, value);
    if (choice == setting.choices.end()) return false;
    setting.set(values, choice - setting.choices.begin());
    return true;
  }
  return false;
}

}  // namespace antiphon::process
