// What travels between two processes: a header of fixed size and a payload. The transport reads only `handler`; the
// engine that registered the handler decides what the other fields mean.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace antiphon::transport {

struct PacketHeader {
  std::uint8_t handler = 0;  // index into the Dispatcher's table
  std::uint8_t flags = 0;
  std::uint16_t reserved = 0;
  std::uint32_t context = 0;
  std::int32_t source = 0;  // rank in the communicator, not in the job
  std::int32_t tag = 0;
  std::uint64_t word[2] = {0, 0};
};
static_assert(sizeof(PacketHeader) == 32);

using Payload = std::span<const std::byte>;

}  // namespace antiphon::transport
