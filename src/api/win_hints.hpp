// The hints of windows that the standard names: MPI 5.0, 12.2.1 and 12.2.3.
#pragma once

#include "service/win_create.hpp"

namespace antiphon::api {

// What `info` asks of the constructor of a window.
void take_wishes(const objects::Info* info, service::WindowOptions* options);

// Those of a new window: what `info` says, or the standard's defaults.
void take_first_hints(objects::Window& window, const objects::Info* info);

}  // namespace antiphon::api
