#include "transport/shm/shm_transport.hpp"

#include <bit>
#include <cassert>
#include <climits>

#include "platform/linux/asymmetric_fence.hpp"
#include "platform/linux/cross_memory.hpp"
#include "platform/linux/futex.hpp"
#include "platform/linux/random.hpp"

namespace antiphon::transport::shm {

namespace {
constexpr int kFairShare = 64;  // packets from one sender before the next gets its turn
constexpr Capabilities kCapabilities{.max_payload = std::size_t{4} << 10, .eager_limit = std::size_t{16} << 10};
}  // namespace

void Bell::ring() const noexcept {
  doorbell->fetch_add(1, std::memory_order_release);
  platform::futex_wake(*doorbell, INT_MAX);  // any of its threads may be the one
}

class ShmTransport::Sender final : public Channel {
 public:
  Sender(RingWriter writer, Bell bell, const NeighbourMemory& memory)
      : writer_(writer), bell_(bell), memory_(memory) {
    assert(kCapabilities.max_payload <= writer.max_payload());
  }

  // Nothing is called on the way of a short packet to a peer that is awake, and nothing has to be saved for that.
  SendStatus try_send(const PacketHeader& header, Payload payload) noexcept override {
    if (!writer_.try_write_short(header, payload)) [[unlikely]]
      return try_send_long(header, payload);
    if (bell_.is_wanted()) [[unlikely]]
      return ring();
    return SendStatus::sent;
  }
  std::byte* reserve(std::size_t bytes) noexcept override { return writer_.reserve(bytes); }
  void commit(const PacketHeader& header, std::size_t bytes) noexcept override {
    writer_.commit(header, bytes);
    bell_.ring_if_asleep();
  }
  [[nodiscard]] const Capabilities& capabilities() const noexcept override { return kCapabilities; }
  [[nodiscard]] PeerMemory* peer_memory() noexcept override { return &memory_; }

 private:
  [[gnu::noinline]] SendStatus try_send_long(const PacketHeader& header, Payload payload) noexcept {
    if (!writer_.try_write(header, payload)) return SendStatus::full;
    bell_.ring_if_asleep();
    return SendStatus::sent;
  }
  [[gnu::noinline, gnu::cold]] SendStatus ring() noexcept {
    bell_.ring();
    return SendStatus::sent;
  }

  RingWriter writer_;
  Bell bell_;
  NeighbourMemory memory_;
};

ShmTransport::ShmTransport(Layout layout)
    : layout_(std::move(layout)), mine_(&arrivals(layout_.self)), secret_(platform::random_number() | 1) {
  known_.resize(static_cast<std::size_t>(layout_.size) / 64 + 1);
  platform::permit_cross_memory();
  mine_->identity.publish(secret_);
  watches_.push_back({&mine_->count, 0});
}

// The pair (rank, rank) has no ring, a process talks to itself in private memory: its area holds the arrivals.
Arrivals& ShmTransport::arrivals(int rank) const {
  return *reinterpret_cast<Arrivals*>(layout_.pair_area(rank, rank));
}

std::unique_ptr<Channel> ShmTransport::connect(int peer) {
  Arrivals& theirs = arrivals(peer);
  const auto self = static_cast<unsigned>(layout_.self);
  theirs.senders[self / 64].fetch_or(std::uint64_t{1} << (self % 64), std::memory_order_release);
  theirs.count.fetch_add(1, std::memory_order_release);
  std::byte* to_peer = layout_.pair_area(layout_.self, peer);
  std::byte* from_peer = layout_.pair_area(peer, layout_.self);
  const NeighbourMemory memory(layout_.process(peer), theirs.identity, *reinterpret_cast<RingArea*>(to_peer),
                               *reinterpret_cast<RingArea*>(from_peer), layout_.heap(peer),
                               layout_.heap(layout_.self));
  return std::make_unique<Sender>(RingWriter(to_peer, layout_.pair_bytes), layout_.bell(peer), memory);
}

void ShmTransport::accept_new_senders() {
  watches_.front().seen = mine_->count.load(std::memory_order_acquire);
  for (std::size_t word = 0; word < known_.size(); ++word) {
    std::uint64_t fresh = mine_->senders[word].load(std::memory_order_acquire) & ~known_[word];
    known_[word] |= fresh;
    for (; fresh != 0; fresh &= fresh - 1) {
      const int source = static_cast<int>(word * 64) + std::countr_zero(fresh);
      std::byte* area = layout_.pair_area(source, layout_.self);
      inbound_.push_back({source, RingReader(area, layout_.pair_bytes), layout_.bell(source)});
      watches_.push_back(inbound_.back().reader.watch());
    }
  }
}

bool ShmTransport::poll(const Dispatcher& dispatch) {
  if (watches_.front().changed()) [[unlikely]]
    accept_new_senders();
  bool any = false;
  for (std::size_t i = 0; i < inbound_.size(); ++i) {
    Watch& watch = watches_[i + 1];
    if (!watch.changed()) continue;
    read(inbound_[i], dispatch);
    watch = inbound_[i].reader.watch();
    any = true;
  }
  return any;
}

void ShmTransport::read(Inbound& from, const Dispatcher& dispatch) {
  bool freed = false;
  const auto deliver = [&](const PacketHeader& header, Payload payload) { dispatch(from.source, header, payload); };
  for (int share = kFairShare; share > 0 && from.reader.read(deliver, &freed); --share) continue;
  if (freed) from.bell.ring_if_asleep();
}

}  // namespace antiphon::transport::shm
