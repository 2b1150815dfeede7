#include "transport/shm/shm_transport.hpp"

#include <bit>
#include <cassert>
#include <climits>

#include "platform/linux/asymmetric_fence.hpp"
#include "platform/linux/cross_memory.hpp"
#include "platform/linux/futex.hpp"
#include "platform/linux/random.hpp"
#include "transport/shm/shared_ring_writer.hpp"

namespace antiphon::transport::shm {

namespace {
constexpr int kFairShare = 64;  // packets from one sender before the next gets its turn
constexpr Capabilities kCapabilities{.max_payload = std::size_t{4} << 10, .eager_limit = std::size_t{16} << 10};
}  // namespace

void Bell::ring() const noexcept {
  doorbell->fetch_add(1, std::memory_order_release);
  platform::futex_wake(*doorbell, INT_MAX);  // any of its threads may be the one
}

template <class Writer>
class ShmTransport::Sender final : public Channel {
 public:
  Sender(std::byte* area, std::size_t area_bytes, Bell bell, const NeighbourMemory& memory)
      : writer_(area, area_bytes), bell_(bell), memory_(memory) {
    capabilities_.many_senders = std::is_same_v<Writer, SharedRingWriter>;
    assert(capabilities_.max_payload <= writer_.max_payload());
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
  [[nodiscard]] const Capabilities& capabilities() const noexcept override { return capabilities_; }
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

  Writer writer_;
  Bell bell_;
  Capabilities capabilities_ = kCapabilities;
  NeighbourMemory memory_;
};

ShmTransport::ShmTransport(Layout layout, Watches& watches)
    : layout_(std::move(layout)),
      mine_(&arrivals(layout_.self)),
      secret_(platform::random_number() | 1),
      watches_(watches),
      arrivals_watch_(watches.size()) {
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
  if (layout_.threads)
    return std::make_unique<Sender<SharedRingWriter>>(to_peer, layout_.pair_bytes, layout_.bell(peer), memory);
  return std::make_unique<Sender<RingWriter>>(to_peer, layout_.pair_bytes, layout_.bell(peer), memory);
}

void ShmTransport::accept_new_senders() {
  watches_[arrivals_watch_].seen = mine_->count.load(std::memory_order_acquire);
  for (std::size_t word = 0; word < known_.size(); ++word) {
    std::uint64_t fresh = mine_->senders[word].load(std::memory_order_acquire) & ~known_[word];
    known_[word] |= fresh;
    for (; fresh != 0; fresh &= fresh - 1) {
      const int source = static_cast<int>(word * 64) + std::countr_zero(fresh);
      std::byte* area = layout_.pair_area(source, layout_.self);
      inbound_.push_back({source, RingReader(area, layout_.pair_bytes), layout_.bell(source), watches_.size()});
      watches_.push_back(inbound_.back().reader.watch());
    }
  }
}

bool ShmTransport::poll(const Dispatcher& dispatch) {
  if (layout_.threads) [[unlikely]]
    return poll_by_turns(dispatch);
  return look(dispatch);
}

// Whoever reads never waits for anything, so this waits for no longer than a few packets take.
bool ShmTransport::poll_by_turns(const Dispatcher& dispatch) {
  const std::lock_guard held(reading_);
  return look(dispatch);
}

bool ShmTransport::poll_beside(const Dispatcher& dispatch, bool* refused) {
  if (!layout_.threads) return false;
  const std::unique_lock held(reading_, std::try_to_lock);
  return held && look(dispatch, refused);
}

inline bool ShmTransport::look(const Dispatcher& dispatch, bool* refused) {
  if (watches_[arrivals_watch_].changed()) [[unlikely]]
    accept_new_senders();
  bool any = false;
  for (Inbound& from : inbound_)
    if (watches_[from.watch].changed()) {
      any |= read(from, dispatch, refused);
      watches_[from.watch] = from.reader.watch();
    }
  return any;
}

bool ShmTransport::read(Inbound& from, const Dispatcher& dispatch, bool* refused) {
  bool freed = false;
  const auto deliver = [&](const PacketHeader& header, Payload payload) {
    if (dispatch(from.source, header, payload)) [[likely]]
      return true;
    if (refused) *refused = true;
    return false;
  };
  const int used = from.reader.read(kFairShare, deliver, &freed);
  if (freed) from.bell.ring_if_asleep();
  return used != 0;
}

}  // namespace antiphon::transport::shm
