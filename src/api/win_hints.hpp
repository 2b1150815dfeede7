// The hints of windows that the standard names: MPI 5.0, 12.2.1 and 12.2.3.
#pragma once

#include "objects/window.hpp"

namespace antiphon::api {

// Whether `info` asks that each process's part of a shared window may lie for itself.
[[nodiscard]] bool wants_noncontiguous(const objects::Info* info);

// Those of a new window: what `info` says, or the standard's defaults.
void take_first_hints(objects::Window& window, const objects::Info* info);

}  // namespace antiphon::api
