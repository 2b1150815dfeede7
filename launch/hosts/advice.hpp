// What to try when a command could not start the daemon on a host, from what the command printed. Pure.
#pragma once

#include <string>
#include <string_view>

namespace antiphon::launch {

// Empty if there is no advice.
[[nodiscard]] std::string what_to_try(const std::string& host, std::string_view printed);

// Whether the name of the host does not resolve, which may change.
[[nodiscard]] bool is_unknown_name(std::string_view printed);

}  // namespace antiphon::launch
