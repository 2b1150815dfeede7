// A message on its way out through its link's queue: the bytes that follow each other in packets, first one with the
// envelope or the receiver's cookie, then others. Owned by the queue.
#pragma once

#include <algorithm>

#include "engine/data/move.hpp"
#include "engine/links/outbound.hpp"
#include "engine/pt2pt/requests.hpp"

namespace antiphon::pt2pt {

class OutboundMessage final : public links::Outbound {
 public:
  SendRequest* request = nullptr;  // whose bytes these are; one of its parts is done when this has gone
  transport::PacketHeader first;
  transport::PacketHeader rest;  // of the packets after the first
  std::size_t sent = 0;
  std::size_t remaining = 0;
  bool started = false;

  [[nodiscard]] Went advance(transport::Channel& channel, std::size_t max_payload) override {
    Went went = Went::nothing;
    while (!started || remaining != 0) {
      const std::size_t bytes = std::min(remaining, max_payload);
      if (!data::send_part(channel, started ? rest : first, request->data, request->scattered(), sent, bytes))
        return went;
      went = Went::some;
      started = true;
      sent += bytes;
      remaining -= bytes;
    }
    return Went::all;
  }
  void has_gone() override { request->part_done(); }
};

}  // namespace antiphon::pt2pt
