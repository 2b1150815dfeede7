// Allocates and frees the pages of mapped memory.
#pragma once

#include <cstddef>
#include <span>

namespace antiphon::platform {

// Allocates all pages of the memory now, which takes less time than one by one at the first access. If the system
// cannot, the first access allocates them.
void populate(std::span<std::byte> memory) noexcept;

// Frees all pages of memory that is a mapped file, for all processes that have mapped it. The memory is zero
// afterwards, and gets pages again when it is accessed. `memory` is whole pages. If the system cannot, nothing
// happens.
void give_back(std::span<std::byte> memory) noexcept;

}  // namespace antiphon::platform
