// A message, or a part of the protocol, on its way out: one packet after the other for as long as the channel takes
// them, the rest at later polls. Waits in its peer's queue behind whatever was sent before, so order holds.
#pragma once

#include <algorithm>
#include <array>
#include <memory>

#include "base/intrusive_list.hpp"
#include "engine/pt2pt/requests.hpp"
#include "transport/channel.hpp"

namespace antiphon::pt2pt {

struct Outbound : base::ListHook {
  transport::PacketHeader first;
  transport::PacketHeader rest;  // of the packets after the first
  const std::byte* data = nullptr;
  Scattered scattered;
  std::size_t sent = 0;
  std::size_t remaining = 0;
  bool started = false;
  SendRequest* request = nullptr;           // one of its parts is done when this has gone
  std::array<std::byte, 96> inline_data{};  // payload of control packets, which outlive their sender's frame

  // True when all of it has gone.
  [[nodiscard]] bool advance(transport::Channel& channel, std::size_t max_payload) {
    while (!started || remaining != 0) {
      const std::size_t bytes = std::min(remaining, max_payload);
      if (!send_part(channel, started ? rest : first, data, scattered, sent, bytes)) return false;
      started = true;
      sent += bytes;
      remaining -= bytes;
    }
    return true;
  }
};

}  // namespace antiphon::pt2pt
