// Point-to-point communication: MPI 5.0, chapter 3. Short messages travel at once (eager), longer ones when the
// receiver is ready for them (rendezvous); docs/wire.md describes the packets. Belongs to the Process, one for each
// lane. Requests under way are kept alive by the engine; user buffers must stay put until their request is done.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "engine/pt2pt/direct_copy.hpp"
#include "engine/pt2pt/matched.hpp"
#include "engine/pt2pt/outbound.hpp"
#include "engine/pt2pt/section.hpp"
#include "progress/progress.hpp"

namespace antiphon::pt2pt {

enum class Mode { standard, synchronous };

struct Send {
  const void* buffer;
  std::size_t bytes;
  int destination;  // rank in comm, or abi::PROC_NULL
  std::int32_t tag;
  objects::Comm& comm;
  std::uint32_t context;  // comm.context() or comm.collective_context()
  Mode mode = Mode::standard;
  Scattered scattered = {};  // where the bytes lie, if not in one piece from `buffer` on
};

struct Receive {
  void* buffer;
  std::size_t capacity;  // bytes
  int source;            // rank in comm, abi::ANY_SOURCE or abi::PROC_NULL
  std::int32_t tag;      // or abi::ANY_TAG
  objects::Comm& comm;
  std::uint32_t context;
  Scattered scattered = {};
};

class PointToPoint final : public progress::Pusher, private DirectCopies::Host {
 public:
  using Connect = std::function<std::unique_ptr<transport::Channel>(int world_rank)>;
  using Clock = std::function<std::uint64_t()>;  // ns; to learn which way of moving bytes is faster

  // `beside`: the dispatcher of those who poll without the lane, in a process whose threads share MPI; else null.
  PointToPoint(int size, Connect connect, transport::Dispatcher& dispatcher, progress::Progress& progress,
               Clock clock, transport::Dispatcher* beside = nullptr);
  ~PointToPoint() override;

  // Returns when the buffer may be reused (standard) or the receive has begun (synchronous).
  void send(const Send&);
  // Null when the operation was complete at once.
  [[nodiscard]] objects::Ref<SendRequest> start_send(const Send&);
  // The same with a request in any case.
  [[nodiscard]] objects::Ref<SendRequest> start_send_with_request(const Send&);
  // For a send that needs none, but has to have one.
  [[nodiscard]] objects::Ref<SendRequest> completed_send(objects::Comm& comm);
  // Returns how the receive ended; throws what the message's truncation amounts to.
  objects::Outcome receive(const Receive&);
  // The same for one that has begun.
  objects::Outcome finish_receive(ReceiveRequest& request);
  [[nodiscard]] objects::Ref<ReceiveRequest> start_receive(const Receive&);

  // The same for what is short and nothing special, where threads are in MPI one at a time. False, or null: nothing
  // has happened, for this needs a request, or memory for one. Not to or from MPI_PROC_NULL.
  [[nodiscard]] bool try_short_send(const Send&) noexcept;
  [[nodiscard]] ReceiveRequest* try_start_receive(const Receive&) noexcept;  // a reference is the caller's
  // The same beside the lane.
  [[nodiscard]] bool try_short_send_beside(const Send&) noexcept;
  [[nodiscard]] objects::Ref<ReceiveRequest> try_start_receive_beside(const Receive&);

  // One packet of another engine's, in order with all else that goes to that process. False, and nothing has
  // happened, while it would have to wait.
  [[nodiscard]] bool try_packet(int world_rank, const transport::PacketHeader& header, transport::Payload payload) {
    Peer& to = peer(world_rank);
    return to.queue.empty() && to.channel->try_send(header, payload) == transport::SendStatus::sent;
  }
  [[nodiscard]] std::size_t max_payload(int world_rank) { return peer(world_rank).max_payload; }

  // Takes the matching message, if there is one now, so that only receive_matched() can have it. Not from nobody.
  [[nodiscard]] objects::Ref<MatchedMessage> match_now(const Envelope& wanted, objects::Comm& comm);
  [[nodiscard]] objects::Ref<MatchedMessage> match(const Envelope& wanted, objects::Comm& comm);
  // Receives it; the envelope of `receive` is that of the message.
  [[nodiscard]] objects::Ref<ReceiveRequest> start_receive_matched(MatchedMessage& message, const Receive& receive);

  // Ends a receive for which no message has come; false if one has. Sends are never cancelled.
  bool cancel(ReceiveRequest& request);

  void wait(objects::Request& request);
  objects::Outcome probe(const Envelope& wanted, objects::Comm& comm);
  // True, and *outcome filled, if a matching message can be received now.
  bool probe_now(const Envelope& wanted, objects::Outcome* outcome);

  // What a rank says that waits for this request.
  [[nodiscard]] static progress::WaitReason reason(const objects::Request& request);

  bool push() override;
  [[nodiscard]] bool has_work() const noexcept override { return queued_ != 0 || direct_.has_work(); }

 private:
  enum Packet : std::uint8_t {
    kEager = 1,
    kMore,
    kRequestToSend,
    kClearToSend,
    kData,
    kAcknowledge,
    kOfferWork,
    kCopied,
    kPartLeft
  };
  enum Flag : std::uint8_t { kWantsAcknowledge = 1, kTellsLayout = 2 };

  struct Peer {
    // What is shorter may go at once, as a packet of its own: none while anything waits in the queue.
    std::atomic<std::size_t> open_below = 0;
    bool takes_many_senders;
    std::unique_ptr<transport::Channel> channel;
    std::size_t max_payload;
    std::size_t eager_limit;
    base::IntrusiveList<Outbound> queue;
    DirectCopies::Peer direct;
    // The eager message of which more is to come: exactly one of the two while it lasts.
    ReceiveRequest* arriving = nullptr;
    Unexpected* arriving_unexpected = nullptr;

    void open() { open_below.store(max_payload + 1, std::memory_order_relaxed); }
    void enqueue(Outbound& last) {
      open_below.store(0, std::memory_order_relaxed);
      queue.push_back(last);
    }
    void dequeue(Outbound& first) {
      first.unlink();
      if (queue.empty()) open();
    }
  };

  void on_eager(int source, const transport::PacketHeader&, transport::Payload);
  void on_eager_to_section(int source, const transport::PacketHeader&, transport::Payload);
  [[nodiscard]] bool on_eager_beside(int source, const transport::PacketHeader&, transport::Payload);
  void on_more(int source, const transport::PacketHeader&, transport::Payload);
  void on_request_to_send(int source, const transport::PacketHeader&, transport::Payload);
  void on_clear_to_send(int source, const transport::PacketHeader&, transport::Payload);
  void on_data(int source, const transport::PacketHeader&, transport::Payload);
  void on_acknowledge(int source, const transport::PacketHeader&, transport::Payload);
  void on_offer_work(int source, const transport::PacketHeader&, transport::Payload);
  void on_copied(int source, const transport::PacketHeader&, transport::Payload);
  void on_part_left(int source, const transport::PacketHeader&, transport::Payload);

  void offer_work(const DirectCopies::Announced&, std::uint64_t address, const DirectCopies::Offer&,
                  const layout::Regular* layout) override;
  void copied_here(ReceiveRequest&, const DirectCopies::Announced&) override;
  void copied_there(SendRequest&, int world_receiver, std::uint64_t receiver_cookie) override;
  void part_left(int world_receiver, std::uint64_t receiver_cookie, std::uint32_t part) override;
  std::uint64_t now_ns() override { return clock_(); }
  void copies_begun() override { has_begun(); }

  Peer& peer(int world_rank) {
    Peer* known = find_peer(world_rank);
    return known ? *known : meet(world_rank);
  }
  [[nodiscard]] Peer* find_peer(int world_rank) const {
    return peers_[static_cast<std::size_t>(world_rank)].load(std::memory_order_acquire);
  }
  Peer& meet(int world_rank);
  void submit(Peer& peer, std::unique_ptr<Outbound> out);
  template <class Argument>
  void send_control(Peer& to, const transport::PacketHeader& header, const Argument& argument);
  static bool send_now(const Send&, Peer&, std::size_t* sent);
  objects::Ref<SendRequest> start_rest(const Send&, Peer&, std::size_t sent);
  void announce(const Send&, Peer&, const SendRequest& request);
  void part_done(SendRequest& request);

  [[nodiscard]] static bool deliver_short(Section&, const transport::PacketHeader&, transport::Payload) noexcept;
  [[gnu::always_inline]] void deliver(Section&, int source, const transport::PacketHeader&, transport::Payload);
  void hold(Section&, int source, const transport::PacketHeader&, transport::Payload);
  static ReceiveRequest& new_receive(Section&, const Receive&);
  template <class Look>
  void wait_for_message(const Envelope& wanted, const objects::Comm& comm, Look&& look);
  void take(ReceiveRequest& request, std::unique_ptr<Unexpected> message);
  [[gnu::cold]] objects::Ref<ReceiveRequest> receive_from_nobody(const Receive&);
  [[gnu::always_inline]] static void begin(ReceiveRequest& request, const Envelope& sent, std::size_t total);
  [[gnu::cold]] static void truncate(ReceiveRequest& request, const Envelope& sent, std::size_t total);
  [[gnu::always_inline]] static void append(ReceiveRequest& request, transport::Payload payload);
  void fetch(ReceiveRequest& request, const DirectCopies::Announced& message);
  void finish(ReceiveRequest& request);

  Connect connect_;
  SendRequest::Pool sends_;
  Sections sections_;
  progress::Progress& progress_;
  Clock clock_;
  DirectCopies direct_{*this};
  std::unique_ptr<std::atomic<Peer*>[]> peers_;
  std::vector<std::unique_ptr<Peer>> connected_;
  std::size_t queued_ = 0;  // outbounds in all queues
};

// Defined here because every short message begins with them: in the entry point itself (api/fast.hpp) they cost half.

inline bool PointToPoint::try_short_send(const Send& send) noexcept {
  Peer* to = find_peer(send.comm.world_rank(send.destination));
  if (!to || send.bytes >= to->open_below.load(std::memory_order_relaxed)) [[unlikely]]
    return false;
  const transport::PacketHeader header{.handler = kEager,
                                       .context = send.context,
                                       .source = send.comm.rank(),
                                       .tag = send.tag,
                                       .word = {send.bytes, 0}};
  return to->channel->try_send(header, {static_cast<const std::byte*>(send.buffer), send.bytes}) ==
         transport::SendStatus::sent;
}

inline ReceiveRequest& PointToPoint::new_receive(Section& section, const Receive& receive) {
  ReceiveRequest& request = section.receives.take();
  request.start(receive.comm, 2);  // the caller's reference, and the engine's until finish()
  request.wanted = {receive.context, receive.source, receive.tag};
  request.buffer = static_cast<std::byte*>(receive.buffer);
  request.capacity = receive.capacity;
  request.arrived = 0;
  if (receive.scattered) [[unlikely]]
    request.set_scattered(receive.scattered);
  return request;
}

inline ReceiveRequest* PointToPoint::try_start_receive(const Receive& receive) noexcept {
  Section& section = sections_.only();
  if (section.receives.dry() || section.matcher.has_unexpected()) [[unlikely]]
    return nullptr;
  ReceiveRequest& request = new_receive(section, receive);
  section.matcher.post(request);
  return &request;
}

}  // namespace antiphon::pt2pt
