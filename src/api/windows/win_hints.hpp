// The info hints of windows that the standard defines: MPI 5.0, 12.2.1 and 12.2.3.
#pragma once

#include "service/win_create.hpp"

namespace antiphon::api {

// Copies what `info` says about creating a window into `options`.
void take_wishes(const objects::Info* info, service::WindowOptions* options);

// Sets the hints of a new window: what `info` says, or the standard's defaults.
void take_first_hints(objects::Window& window, const objects::Info* info);

}  // namespace antiphon::api
