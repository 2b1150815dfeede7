// Makes layouts, in normal form: what two descriptions have in common is one node, however their user nested them.
//  - A loop of one is its body; neighbours without a gap are one run; a loop whose end is the next one's beginning
//    continues it, so that a vector of single blocks, or a full array, is a run.
//  - What follows itself at a constant distance is a loop, also where it was given as a list.
//  - A list keeps a few short neighbours as runs, not as nodes of their own.
//  - Lists in lists in lists become one list, before they are too deep to go through.
// The order in which bytes are packed never changes.
#pragma once

#include "layout/node.hpp"

namespace antiphon::layout {

[[nodiscard]] Placed run(std::int64_t bytes);
[[nodiscard]] Placed repeat(const Placed& body, std::int64_t count, std::int64_t stride);
[[nodiscard]] Placed join(const std::vector<Placed>& parts);

}  // namespace antiphon::layout
