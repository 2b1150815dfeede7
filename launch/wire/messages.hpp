// Orders and events of nodes as bytes.
#pragma once

#include <string>
#include <string_view>

#include "node/events.hpp"
#include "wire/archive.hpp"

namespace antiphon::launch {

[[nodiscard]] std::string encode(const NodeOrder& order);
[[nodiscard]] std::string encode(const NodeEvent& event);

// What they return may point into `bytes`. They throw Malformed.
[[nodiscard]] NodeOrder decode_order(std::string_view bytes);
[[nodiscard]] NodeEvent decode_event(std::string_view bytes);

// For a daemon that passes an order on, and decodes no other.
[[nodiscard]] bool is_pause(std::string_view bytes);

}  // namespace antiphon::launch
