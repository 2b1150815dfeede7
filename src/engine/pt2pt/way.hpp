// The interface of all methods that move the bytes of an announced message from the sender's memory to the
// receiver's. The receiver chooses the method, because it knows both ends. Packets tell the sender what to do;
// each method registers and handles its own. Belongs to the Rendezvous; the lane's lock protects it.
#pragma once

#include <memory>
#include <optional>

#include "engine/links/links.hpp"
#include "engine/packets.hpp"
#include "engine/pt2pt/cookie.hpp"
#include "engine/pt2pt/matching.hpp"

namespace antiphon::pt2pt {

// A message announced by its sender.
struct Announced {
  int world_source;
  Cookie<SendRequest> sender;
  std::uint64_t address;  // of its bytes, or of its buffer, in the sender's memory; 0: neither is of use here
  std::optional<WayName> advice = {};
  std::shared_ptr<const data::Elsewhere> scattered = nullptr;
};

class Way {
 public:
  // What all ways need.
  struct Around {
    Matching& matching;
    links::Links& links;
    const Clock& clock;
  };

  Way(const Way&) = delete;
  Way& operator=(const Way&) = delete;
  virtual ~Way() = default;

  // Begins to fetch what request.expected says, at least a byte. False: nothing has happened, since this way does not
  // lead there, or another one is better.
  [[nodiscard]] virtual bool begin(ReceiveRequest& request, const Announced& message) = 0;
  // The bytes are where they belong, and the sender has to be told.
  void end(ReceiveRequest& request, const Announced& message) {
    tell(message.world_source, {.handler = packets::kAcknowledge, .word = {message.sender.value, 0}});
    end(request);
  }

 protected:
  explicit Way(const Around& around) : matching_(around.matching), links_(around.links), clock_(around.clock) {}

  template <class... Argument>
  void tell(int process, const transport::PacketHeader& header, const Argument&... argument) {
    links_.send_control(links_.to(process), header, argument...);
  }
  // The sender knows.
  void end(ReceiveRequest& request) {
    if (request.experience) request.experience->ended(request.way, request.expected, clock_);
    matching_.finish(request);
  }

  Matching& matching_;
  links::Links& links_;

 private:
  const Clock& clock_;
};

}  // namespace antiphon::pt2pt
