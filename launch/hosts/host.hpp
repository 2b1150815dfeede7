// The name of this machine, and whether another name refers to it as well.
#pragma once

#include <string>
#include <string_view>

namespace antiphon::launch {

std::string host_name();

bool is_this_host(std::string_view name);

}  // namespace antiphon::launch
