// A number that only grows, and that any thread may add to and read. Adding costs about as much as a short
// function, so counters are not used on the path of short messages.
#pragma once

#include <atomic>
#include <cstdint>

namespace antiphon::base {

class Counter {
 public:
  void add(std::uint64_t more = 1) noexcept { value_.fetch_add(more, std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t value() const noexcept { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> value_ = 0;
};

}  // namespace antiphon::base
