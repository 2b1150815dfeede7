// Where the bytes of a message lie: in one piece, or scattered over a buffer as a datatype's layout says. Packed
// bytes are counted in both cases, so the protocols need not know which it is.
#pragma once

#include <optional>

#include "base/copy.hpp"
#include "layout/regular.hpp"
#include "objects/datatype.hpp"
#include "transport/channel.hpp"

namespace antiphon::pt2pt {

// Of a message that is not in one piece. The type is committed, and outlives the operation.
struct Scattered {
  const objects::Datatype* type = nullptr;
  std::int64_t count = 0;

  explicit operator bool() const { return type != nullptr; }
  [[nodiscard]] static layout::Slice slice(std::size_t offset, std::size_t bytes) {
    return {static_cast<std::int64_t>(offset), static_cast<std::int64_t>(bytes)};
  }
};

// What is scattered in another process's memory, as that process has told.
struct Elsewhere {
  explicit Elsewhere(const layout::Regular& told)
      : layout(placed(told), 0),
        low(told.low()),
        span(static_cast<std::size_t>(told.high() - told.low())),
        block(static_cast<std::size_t>(told.block)) {}

  layout::Layout layout;
  std::int64_t low;   // where its first byte in memory is, from the buffer's address on
  std::size_t span;   // bytes of memory from there to its last
  std::size_t block;  // bytes of each run
};

// What another process may be told about it in a few words, if there are such.
[[nodiscard]] std::optional<layout::Regular> in_few_words(const Scattered& body);

// Gives the channel a packet with the bytes from `offset` on; false if it takes none now.
[[gnu::always_inline]] inline bool send_part(transport::Channel& channel, const transport::PacketHeader& header,
                                             const std::byte* data, const Scattered& scattered, std::size_t offset,
                                             std::size_t bytes) {
  if (!scattered) [[likely]]
    return channel.try_send(header, {data + offset, bytes}) == transport::SendStatus::sent;
  std::byte* room = channel.reserve(bytes);
  if (!room) return false;
  scattered.type->layout().pack(data, scattered.count, Scattered::slice(offset, bytes), room);
  channel.commit(header, bytes);
  return true;
}

// Puts the bytes of a packet where they belong.
[[gnu::always_inline]] inline void receive_part(std::byte* buffer, const Scattered& scattered, std::size_t offset,
                                                const std::byte* payload, std::size_t bytes) {
  if (!scattered) [[likely]]
    return base::copy_bytes(buffer + offset, payload, bytes);
  scattered.type->layout().unpack(buffer, scattered.count, Scattered::slice(offset, bytes), payload);
}

}  // namespace antiphon::pt2pt
