// Names separated by blanks in one string, as the tables of options contain them.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

namespace antiphon::launch {

inline std::vector<std::string_view> split_names(std::string_view text) {
  std::vector<std::string_view> names;
  for (std::string_view rest = text; !rest.empty();) {
    names.push_back(rest.substr(0, rest.find(' ')));
    rest.remove_prefix(std::min(rest.size(), names.back().size() + 1));
  }
  return names;
}

inline bool has_name(std::string_view text, std::string_view name) {
  return std::ranges::count(split_names(text), name) != 0;
}

}  // namespace antiphon::launch
