// Options of other MPI implementations' mpiexec that this one does not need or replaces by others.
#pragma once

#include <optional>
#include <string_view>

namespace antiphon::launch {

// A sentence that says what to do instead; nothing if no implementation is known to have the option. `name` is
// without dashes.
[[nodiscard]] std::optional<std::string_view> what_to_use_instead(std::string_view name);

}  // namespace antiphon::launch
