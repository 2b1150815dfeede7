// The predefined error classes: value, name, and the sentence that MPI_Error_string returns.
// Generated from spec/ by gen/generate.py; change those.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace antiphon::abi {

struct ErrorClass {
  int value;
  std::string_view name;
  std::string_view text;
};

// In increasing order of value.
inline constexpr std::array<ErrorClass, 2> error_classes{{
    {0, "MPI_SUCCESS", "The call succeeded."},
    {6, "MPI_ERR_RANK", "A \"rank\" is not valid."},
}};

// Null for a value that is not a predefined class.
constexpr const ErrorClass* find_error_class(int value) {
  const auto* found = std::lower_bound(error_classes.data(), error_classes.data() + error_classes.size(), value,
                                       [](const ErrorClass& entry, int wanted) { return entry.value < wanted; });
  return found != error_classes.data() + error_classes.size() && found->value == value ? found : nullptr;
}

}  // namespace antiphon::abi
