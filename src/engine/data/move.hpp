// The functions through which the bytes of messages are packed into a packet or a copy, unpacked, or copied if
// they are contiguous. All code that moves bytes between a user's memory and the library's uses them, so support
// for another kind of memory has to be added in one place only. `offset` counts packed bytes.
#pragma once

#include "base/copy.hpp"
#include "base/stream.hpp"
#include "engine/data/scattered.hpp"
#include "transport/channel.hpp"

namespace antiphon::data {

// Packs bytes of the user's memory.
[[gnu::always_inline]] inline void pack_part(const std::byte* buffer, const Scattered& scattered, std::size_t offset,
                                             std::byte* to, std::size_t bytes) {
  if (!scattered) [[likely]]
    return base::copy_bytes(to, buffer + offset, bytes);
  scattered.type->layout().pack(buffer, scattered.count, Scattered::slice(offset, bytes), to);
}

// The same, but contiguous bytes are stored past this core's caches, for a reader on a core that is far away and
// would have to fetch them from there. Call base::order_streams before the bytes are published.
inline void stream_part(const std::byte* buffer, const Scattered& scattered, std::size_t offset, std::byte* to,
                        std::size_t bytes) {
  if (scattered) return pack_part(buffer, scattered, offset, to, bytes);
  base::stream_bytes(to, buffer + offset, bytes);
}

// Unpacks bytes into the user's memory.
[[gnu::always_inline]] inline void unpack_part(std::byte* buffer, const Scattered& scattered, std::size_t offset,
                                               const std::byte* from, std::size_t bytes) {
  if (!scattered) [[likely]]
    return base::copy_bytes(buffer + offset, from, bytes);
  scattered.type->layout().unpack(buffer, scattered.count, Scattered::slice(offset, bytes), from);
}

// For contiguous data that is short enough to be copied without a call.
inline constexpr std::size_t kMostShort = 32;
[[gnu::always_inline]] inline void unpack_short(std::byte* buffer, const std::byte* from, std::size_t bytes) {
  base::copy_bytes<kMostShort>(buffer, from, bytes);
}

// Sends a packet with `bytes` bytes from `offset` on; false if the channel takes no packet now.
[[gnu::always_inline]] inline bool send_part(transport::Channel& channel, const transport::PacketHeader& header,
                                             const std::byte* buffer, const Scattered& scattered, std::size_t offset,
                                             std::size_t bytes) {
  if (!scattered) [[likely]]
    return channel.try_send(header, {buffer + offset, bytes}) == transport::SendStatus::sent;
  std::byte* room = channel.reserve(bytes);
  if (!room) return false;
  pack_part(buffer, scattered, offset, room, bytes);
  channel.commit(header, bytes);
  return true;
}

}  // namespace antiphon::data
