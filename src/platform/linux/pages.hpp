// The pages of memory that is mapped.
#pragma once

#include <cstddef>
#include <span>

namespace antiphon::platform {

// Gives it all of its pages now, which is cheaper than one by one when it is touched. Where the system cannot, that
// is what happens.
void populate(std::span<std::byte> memory) noexcept;

}  // namespace antiphon::platform
