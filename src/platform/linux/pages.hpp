// The pages of memory that is mapped.
#pragma once

#include <cstddef>
#include <span>

namespace antiphon::platform {

// Gives it all of its pages now, which is cheaper than one by one when it is touched. Where the system cannot, that
// is what happens.
void populate(std::span<std::byte> memory) noexcept;

// Takes all of its pages away, whole ones of a file in memory, from everybody who has it mapped: it is zero then, and
// has pages again when it is touched. Where the system cannot, nothing happens.
void give_back(std::span<std::byte> memory) noexcept;

}  // namespace antiphon::platform
