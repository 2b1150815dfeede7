// futex(2) on words that processes share.
#pragma once

#include <atomic>
#include <cstdint>

namespace antiphon::platform {

// Sleeps while `word` holds `expected`; returns on a wake, a signal, or after timeout_ns (0: no limit).
void futex_wait(std::atomic<std::uint32_t>& word, std::uint32_t expected, std::uint64_t timeout_ns) noexcept;
// Wakes up to `waiters` sleepers.
void futex_wake(std::atomic<std::uint32_t>& word, int waiters) noexcept;

}  // namespace antiphon::platform
