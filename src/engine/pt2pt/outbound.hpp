// A message in a link's queue. Its bytes are sent in packets; the first packet has the envelope or the receiver's
// cookie. Owned by the queue.
#pragma once

#include <algorithm>

#include "engine/data/move.hpp"
#include "engine/links/outbound.hpp"
#include "engine/pt2pt/requests.hpp"

namespace antiphon::pt2pt {

class OutboundMessage final : public links::Outbound {
 public:
  // Sends bytes of `request`. When all are sent, one of the request's parts is done.
  explicit OutboundMessage(SendRequest& request) : request_(request) {}

  transport::PacketHeader first;
  transport::PacketHeader rest;  // header of all packets after the first
  std::size_t sent = 0;
  std::size_t remaining = 0;
  bool started = false;

  [[nodiscard]] Went advance(transport::Channel& channel, std::size_t max_payload) override {
    Went went = Went::nothing;
    while (!started || remaining != 0) {
      const std::size_t bytes = std::min(remaining, max_payload);
      if (!data::send_part(channel, started ? rest : first, request_.data, request_.scattered(), sent, bytes))
        return went;
      went = Went::some;
      started = true;
      sent += bytes;
      remaining -= bytes;
    }
    return Went::all;
  }
  void has_gone() override { request_.part_done(); }

 private:
  SendRequest& request_;
};

}  // namespace antiphon::pt2pt
