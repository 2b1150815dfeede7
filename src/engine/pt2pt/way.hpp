// The interface of all methods that move the bytes of an announced message from the sender's memory to the
// receiver's. The receiver chooses the method, because it knows both buffers. Packets tell the sender what to do;
// each method registers handlers for its own. Belongs to the Rendezvous; the lane protects it.
#pragma once

#include <memory>
#include <optional>

#include "engine/links/links.hpp"
#include "engine/packets.hpp"
#include "engine/pt2pt/matching.hpp"

namespace antiphon::pt2pt {

// A message announced by its sender.
struct Announced {
  int world_source;
  links::Cookie sender;
  std::uint64_t address;  // of the bytes, or of the scattered buffer, in the sender; 0: the receiver cannot use it
  std::optional<WayName> advice = {};
  std::shared_ptr<const data::Elsewhere> scattered = nullptr;
};

class Way {
 public:
  // What all methods need.
  struct Around {
    Matching& matching;
    links::Links& links;
    SendPool& sends;
    const Clock& clock;
  };

  Way(const Way&) = delete;
  Way& operator=(const Way&) = delete;
  virtual ~Way() = default;

  // Starts to move request.expected bytes, at least one. Returns false, without any effect, if this method cannot
  // move the message or another one is better.
  [[nodiscard]] virtual bool begin(ReceiveRequest& request, const Announced& message) = 0;
  // Completes the receive and tells the sender.
  void end(ReceiveRequest& request, const Announced& message) {
    tell(message.world_source, {.handler = packets::kAcknowledge, .word = {message.sender, 0}});
    end(request);
  }

 protected:
  explicit Way(const Around& around)
      : matching_(around.matching), links_(around.links), sends_(around.sends), clock_(around.clock) {}

  template <class... Argument>
  void tell(int process, const transport::PacketHeader& header, const Argument&... argument) {
    links_.send_control(links_.to(process), header, argument...);
  }
  // Completes the receive; the sender knows already.
  void end(ReceiveRequest& request) {
    if (request.experience) request.experience->ended(request.way, request.expected, clock_);
    matching_.finish(request);
  }

  // The announced message that a packet says how to fetch.
  [[nodiscard]] SendRequest& announced(const packets::Incoming& packet) {
    SendRequest& request = sends_.answered(packet, packet.header.word[0]);
    packet.need(request.awaits == SendRequest::Awaits::fetching, "that message is being fetched already");
    return request;
  }

  Matching& matching_;
  links::Links& links_;
  SendPool& sends_;

 private:
  const Clock& clock_;
};

}  // namespace antiphon::pt2pt
