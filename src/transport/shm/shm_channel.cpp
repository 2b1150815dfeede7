#include "transport/shm/shm_channel.hpp"

#include <cassert>
#include <utility>

#include "base/cpu_maker.hpp"
#include "transport/shm/shared_ring_writer.hpp"

namespace antiphon::transport::shm {

namespace {

constexpr Capabilities capabilities_of(bool many_senders) {
  return {.max_payload = std::size_t{4} << 10, .eager_limit = std::size_t{16} << 10, .many_senders = many_senders};
}

// On Intel's processors, cache lines that have not been used for a while and are prefetched move faster between cores
// than lines that both sides have just used; on AMD's they move slower. Receipts let the writer return to recent
// lines.
bool sends_receipts() noexcept { return !base::is_intel(); }

// The ring of a channel that one thread uses at a time.
class OwnRing : public RingWriter {
 public:
  struct NoLock {};
  [[nodiscard]] NoLock lock() const noexcept { return {}; }
  [[nodiscard]] bool prepare() const noexcept { return true; }
  // No other thread can have made room, or begun another ring, meanwhile.
  [[nodiscard]] bool try_again(const PacketHeader&, Payload) const noexcept { return false; }
  [[nodiscard]] std::byte* reserve_again(std::size_t) const noexcept { return nullptr; }
  void begin(const Neighbourhood& node, std::byte* area, int number) noexcept {
    static_cast<RingWriter&>(*this) = RingWriter(area, node.ring_bytes, number, node.written);
  }
  static constexpr bool kTakesReceipts = true;
};

template <class Ring>
class Sender final : public ShmChannel {
 public:
  Sender(NeighbourMemory& peer, const InboundRings& rings, std::atomic<ShmChannel*>& known)
      : ShmChannel(known), bell_(peer.node().bell(peer.peer())), memory_(peer), rings_(rings) {
    assert(kCapabilities.max_payload <= queue().max_payload());
  }

  // A short packet to a peer that is awake needs no call, so no registers have to be saved.
  SendStatus try_send(const PacketHeader& header, Payload payload) noexcept override {
    if (!ring_.try_write_short(header, payload)) [[unlikely]]
      return try_send_otherwise(header, payload);
    if (bell_.is_wanted()) [[unlikely]]
      return ring_bell();
    return SendStatus::sent;
  }

  std::byte* reserve(std::size_t bytes) noexcept override {
    if (ring_.has_ring()) [[likely]]
      if (std::byte* const room = ring_.reserve(bytes)) return room;
    [[maybe_unused]] const auto held = ring_.lock();
    if (ring_.has_ring()) return ring_.reserve_again(bytes);
    return claim_in_queue(bytes, &reserved_) ? reserved_.claim.room : nullptr;
  }
  void commit(const PacketHeader& header, std::size_t bytes) noexcept override {
    if (const InQueue place = std::exchange(reserved_, {}); place.claim.room) [[unlikely]]
      queue().publish(place.claim, header, bytes, place.next);
    else
      ring_.commit(header, bytes, receipt());
    bell_.ring_if_asleep();
  }

  [[nodiscard]] const Capabilities& capabilities() const noexcept override { return kCapabilities; }
  [[nodiscard]] PeerMemory* peer_memory() noexcept override { return &memory_; }

  void take(const Receipt& receipt) noexcept override { ring_.take(receipt); }

  // If there is no room for the mark, the ring is in use, and the channel keeps it.
  void give_ring_back() noexcept override {
    {
      [[maybe_unused]] const auto held = ring_.lock();
      if (!ring_.has_ring() || !ring_.try_leave()) return;
    }
    bell_.ring_if_asleep();
  }

 private:
  static constexpr Capabilities kCapabilities = capabilities_of(std::is_same_v<Ring, SharedRing>);

  struct InQueue {
    QueueWriter::Claim claim = {};  // without room: nothing is claimed
    QueueWriter::Next next = {};
  };

  [[gnu::noinline]] SendStatus try_send_otherwise(const PacketHeader& header, Payload payload) noexcept {
    if (!ring_.has_ring() || !ring_.try_write(header, payload, receipt())) [[unlikely]]
      return try_send_without_ring(header, payload);
    bell_.ring_if_asleep();
    return SendStatus::sent;
  }
  [[gnu::noinline]] SendStatus try_send_without_ring(const PacketHeader& header, Payload payload) noexcept {
    {
      [[maybe_unused]] const auto held = ring_.lock();
      if (ring_.has_ring() ? !ring_.try_again(header, payload) : !try_send_to_queue(header, payload))
        return SendStatus::full;
    }
    bell_.ring_if_asleep();
    return SendStatus::sent;
  }
  [[nodiscard]] bool try_send_to_queue(const PacketHeader& header, Payload payload) noexcept {
    InQueue place;
    if (!claim_in_queue(payload.size(), &place)) return false;
    base::copy_bytes(place.claim.room, payload.data(), payload.size());
    queue().publish(place.claim, header, payload.size(), place.next);
    return true;
  }
  // Claims a place in the queue. If a ring is offered, this packet is the last one in the queue, and whoever sends
  // next uses the ring.
  [[nodiscard]] bool claim_in_queue(std::size_t bytes, InQueue* place) noexcept {
    const Neighbourhood& node = memory_.node();
    Offer& offer = node.inbox(memory_.peer()).offer(node.self);
    const int ring = offer.ring();
    const bool ready = ring != Offer::kNoRing && ring_.prepare();
    if (!queue().try_claim(bytes, &place->claim)) return false;
    if (!ready || !offer.take(ring)) return true;
    place->next = QueueWriter::Next::in_ring;
    ring_.begin(node, node.ring(memory_.peer(), ring), ring);
    return true;
  }
  [[nodiscard]] Receipt receipt() const noexcept {
    if (!Ring::kTakesReceipts || !sends_receipts()) return {};
    return rings_.receipt_for(memory_.peer());
  }
  // Created for each use: most peers have given a ring, or are seldom sent to.
  [[nodiscard]] QueueWriter queue() const noexcept {
    const Neighbourhood& node = memory_.node();
    return {node.inbox(memory_.peer()), node.self};
  }
  [[gnu::noinline, gnu::cold]] SendStatus ring_bell() noexcept {
    bell_.ring();
    return SendStatus::sent;
  }

  Ring ring_;
  Bell bell_;
  InQueue reserved_;
  NeighbourMemory& memory_;
  const InboundRings& rings_;
};

}  // namespace

std::unique_ptr<ShmChannel> make_channel(NeighbourMemory& peer, const InboundRings& rings,
                                         std::atomic<ShmChannel*>& known) {
  if (peer.node().threads) return std::make_unique<Sender<SharedRing>>(peer, rings, known);
  return std::make_unique<Sender<OwnRing>>(peer, rings, known);
}

}  // namespace antiphon::transport::shm
