// Messages of up to the channel's eager limit. They are sent at once, in one packet or several, without asking the
// receiver. The receiver keeps a message for which no receive is posted. Belongs to Messages. All threads use the
// same functions: the LaneHeld parameter says whether the caller holds the lane, and so what the function may do.
#pragma once

#include <vector>

#include "engine/links/links.hpp"
#include "engine/packets.hpp"
#include "engine/pt2pt/matching.hpp"

namespace antiphon::pt2pt {

class Eager {
 public:
  Eager(Matching& matching, links::Links& links, SendPool& sends, transport::Dispatcher& dispatcher);

  // Sends a message in one packet, if that is possible now. Any thread may call it. The message must be contiguous,
  // not synchronous, and not to MPI_PROC_NULL.
  [[nodiscard]] bool try_send(const Send&) const noexcept;
  // Starts to send a message of up to the link's eager limit. Null if the whole message has been sent.
  [[nodiscard]] objects::Ref<SendRequest> start_send(const Send&, links::Link& to, const base::LaneHeld&);

 private:
  enum Flag : std::uint8_t { kWantsAcknowledge = 1 };
  class Kept;
  // A message of which not all packets have arrived from its process; one of the two pointers is set.
  struct Arriving {
    ReceiveRequest* request = nullptr;
    Kept* kept = nullptr;

    [[nodiscard]] bool under_way() const { return request || kept; }
  };

  [[nodiscard]] static transport::PacketHeader header_of(const Send& send) {
    return {.handler = packets::kEager,
            .context = send.space.word(),
            .source = send.comm.rank(),
            .tag = send.tag,
            .word = {send.bytes, 0}};
  }
  [[nodiscard]] static bool send_now(const Send&, links::Link& to, std::size_t* sent);
  [[nodiscard]] objects::Ref<SendRequest> start_rest(const Send&, links::Link& to, std::size_t sent);
  void on_acknowledge(int source, const transport::PacketHeader&, transport::Payload, const base::LaneHeld&);

  [[nodiscard]] bool on_eager(int source, const transport::PacketHeader&, transport::Payload,
                              const base::LaneHeld* lane);
  [[nodiscard, gnu::noinline]] bool on_eager_with_care(int source, const transport::PacketHeader&, transport::Payload,
                                                       const base::LaneHeld* lane);
  [[nodiscard]] bool deliver_at_once(int source, const transport::PacketHeader&, transport::Payload,
                                     const base::LaneHeld* lane);
  [[nodiscard, gnu::noinline]] bool deliver(int source, const transport::PacketHeader&, transport::Payload,
                                            const base::LaneHeld* lane);
  void keep(Section&, int source, const transport::PacketHeader&, transport::Payload);
  void on_more(int source, const transport::PacketHeader&, transport::Payload, const base::LaneHeld&);
  void acknowledge(int process, std::uint64_t sender_cookie);
  [[nodiscard]] Arriving& arriving_from(int process);

  Matching& matching_;
  links::Links& links_;
  SendPool& sends_;
  const bool takes_care_;           // there may be locks to take, or senders to check
  std::vector<Arriving> arriving_;  // by process of the job
};

// Defined here to be inlined, because every short message begins with it.
inline bool Eager::try_send(const Send& send) const noexcept {
  const links::Link* to = links_.find(send.comm.world_rank(send.destination));
  if (!to || !to->takes_at_once(send.bytes)) [[unlikely]]
    return false;
  return to->channel().try_send(header_of(send), {send.data(), send.bytes}) == transport::SendStatus::sent;
}

inline objects::Ref<SendRequest> Eager::start_send(const Send& send, links::Link& to, const base::LaneHeld&) {
  std::size_t sent = 0;
  if (send.mode == Mode::standard && to.is_clear() && send_now(send, to, &sent)) [[likely]]
    return {};
  return start_rest(send, to, sent);
}

}  // namespace antiphon::pt2pt
