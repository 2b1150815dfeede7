// Chooses how long payloads are written into a ring: through the writer's caches or bypassing them, whichever has
// recently cost both sides less. For some payloads the cell says what writing has cost; the reader adds its own cost,
// and advises the writer.
#pragma once

#include <algorithm>
#include <atomic>
#include <optional>

#include "base/copy.hpp"
#include "base/preference.hpp"
#include "base/stream.hpp"
#include "base/written.hpp"
#include "platform/clock.hpp"
#include "transport/packet.hpp"

namespace antiphon::transport::shm {

using base::Written;

// How a payload was written.
struct Made {
  Written how = Written::as_ever;
  std::uint16_t cost = 0;  // of writing, in us for a MiB, if the reader is to learn from it; else 0
};

template <class Deed>
[[nodiscard]] std::uint16_t cost_of(std::size_t bytes, Deed&& deed) {
  const std::uint64_t since = platform::monotonic_ns();
  deed();
  const std::uint64_t cost = ((platform::monotonic_ns() - since) << 20) / (1000 * bytes) + 1;
  return static_cast<std::uint16_t>(std::min<std::uint64_t>(cost, UINT16_MAX));
}

class LongPayloadWriting {
 public:
  // Does not learn if `fixed` has a value.
  explicit LongPayloadWriting(std::optional<Written> fixed = {}) : fixed_(fixed) {}

  [[nodiscard]] base::WritingStyle next(std::size_t bytes, const std::atomic<Written>& advised) {
    if (bytes < base::kLeastPastCaches) return {};
    if (fixed_) return {*fixed_};
    return base::WritingStyle::of(advised.load(std::memory_order_relaxed), number_++);
  }
  [[nodiscard]] static Made write(std::byte* to, Payload payload, const base::WritingStyle& style) noexcept {
    const auto write = [&] {
      if (style.how == Written::as_ever) return base::copy_bytes(to, payload.data(), payload.size());
      base::stream_bytes(to, payload.data(), payload.size());
      base::order_streams();
    };
    if (style.is_timed) return {style.how, cost_of(payload.size(), write)};
    write();
    return {style.how};
  }

 private:
  std::optional<Written> fixed_;
  std::uint32_t number_ = 0;
};

class LongPayloadReading {
 public:
  // Returns what use() returns: whether it has taken the payload.
  template <class Use>
  bool read(const Made& made, std::size_t bytes, std::atomic<Written>& advised, Use&& use) {
    if (made.cost == 0) [[likely]]
      return use();
    bool taken = false;
    const std::uint16_t cost = cost_of(bytes, [&] { taken = use(); });
    if (!taken) return false;
    const Written before = known_.advice();
    known_.learn(made.how, static_cast<std::uint64_t>(made.cost + cost));
    if (known_.advice() != before) advised.store(known_.advice(), std::memory_order_relaxed);
    return true;
  }

 private:
  base::Preference<Written> known_;
};

}  // namespace antiphon::transport::shm
