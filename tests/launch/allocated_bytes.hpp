// How much the calling thread has allocated by `new` so far in this test program, so that a test can bound it.
#pragma once

#include <cstddef>

[[nodiscard]] std::size_t allocated_bytes();
