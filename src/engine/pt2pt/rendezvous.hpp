// Long messages. The sender announces the message. When a receive matches it, the receiver has as many bytes moved as
// fit into its buffer, by the method that has been fastest so far or that the setting bulk_way names. Belongs to
// Messages; the lane protects it.
#pragma once

#include <array>

#include "engine/pt2pt/bulk_packets.hpp"
#include "engine/pt2pt/direct_copy.hpp"
#include "engine/pt2pt/experience.hpp"
#include "engine/pt2pt/pipelines.hpp"

namespace antiphon::pt2pt {

class Rendezvous {
 public:
  Rendezvous(Matching& matching, links::Links& links, SendPool& sends, transport::Dispatcher& dispatcher,
             progress::Progress& progress, Clock clock, const settings::Values& settings,
             counters::Counters& counters);

  // The request completes when the receiver has all bytes.
  [[nodiscard]] objects::Ref<SendRequest> start_send(const Send&, links::Link& to, const base::LaneHeld&);
  // Whether this process still has to copy bytes, of its own receives or sends.
  [[nodiscard]] bool has_work() const noexcept { return direct_.has_work() || pipes_.has_work(); }

 private:
  class Waiting;

  void on_request_to_send(int source, const transport::PacketHeader&, transport::Payload, const base::LaneHeld&);
  void fetch(ReceiveRequest& request, const Announced& message);
  [[nodiscard]] std::optional<WayName> advice_for(const Send&, const links::Link& to);
  [[nodiscard]] bool fetch_on(WayName way, ReceiveRequest& request, const Announced& message);

  Matching& matching_;
  links::Links& links_;
  SendPool& sends_;
  counters::Counters& counters_;
  const Clock clock_;
  const settings::BulkWay fixed_;
  Experiences experiences_;
  Pipelines pipes_;
  DirectCopies direct_;
  BulkPackets packets_;
  struct Choice {
    Way& way;
    base::Counter& taken;
  };
  // Indexed by WayName. The last method accepts every message.
  std::array<Choice, kWays> ways_{{{pipes_, counters_.long_messages_in_pipes},
                                   {pipes_, counters_.long_messages_streamed},
                                   {direct_, counters_.long_messages_copied},
                                   {packets_, counters_.long_messages_in_packets}}};
};

}  // namespace antiphon::pt2pt
