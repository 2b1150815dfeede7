// What crosses a connection: frames, one after the other (docs/wire.md). Each begins at a multiple of eight bytes of
// the stream, with a head of fixed size; the payload of a packet follows it, filled up with zeros.
#pragma once

#include <cstddef>
#include <cstdint>

#include "transport/packet.hpp"

namespace antiphon::transport::tcp {

struct FrameHead {
  // Values that a stream out of step hardly has.
  enum class Kind : std::uint32_t {
    packet = 0x6b636150,    // "Pack"
    gathered = 0x72656847,  // "Gher": a packet, too; those after it may wait until it has been acknowledged
    goodbye = 0x65794265,   // "eBye": the sender may end the connection; the other fields are zero
  };

  Kind kind = Kind::packet;
  std::uint32_t payload_bytes = 0;
  PacketHeader packet = {};
};
static_assert(sizeof(FrameHead) == 40);

inline constexpr std::size_t kFrameAlignment = 8;
constexpr std::size_t padded(std::size_t payload_bytes) {
  return (payload_bytes + kFrameAlignment - 1) / kFrameAlignment * kFrameAlignment;
}
constexpr std::size_t frame_bytes(std::size_t payload_bytes) { return sizeof(FrameHead) + padded(payload_bytes); }

}  // namespace antiphon::transport::tcp
