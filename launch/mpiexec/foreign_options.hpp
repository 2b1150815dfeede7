// Options of other implementations' mpiexec that this one does not need or does in another way.
#pragma once

#include <optional>
#include <string_view>

namespace antiphon::launch {

// What to do instead, as a sentence. `name` is without dashes. Nothing for what no other is known to have.
[[nodiscard]] std::optional<std::string_view> what_to_use_instead(std::string_view name);

}  // namespace antiphon::launch
