#include "transport/shm/shm_transport.hpp"

#include <unistd.h>

#include <bit>
#include <cassert>

#include "platform/linux/cross_memory.hpp"
#include "platform/linux/random.hpp"
#include "transport/shm/shm_channel.hpp"

namespace antiphon::transport::shm {

namespace {
constexpr int kFairShare = 64;  // packets from one ring, or from the queue, before the next one is read
}  // namespace

ShmTransport::ShmTransport(Neighbourhood node, Watches& watches)
    : node_(std::move(node)),
      mine_(node_.inbox(node_.self)),
      secret_(platform::random_number() | 1),
      memories_(static_cast<std::size_t>(node_.size)),
      channels_(std::make_unique<std::atomic<ShmChannel*>[]>(static_cast<std::size_t>(node_.size))),
      watches_(watches),
      queue_watch_(watches.size()),
      queue_(mine_.queue(), mine_.queue_bytes()),
      talk_(node_.size, node_.much),
      rings_(node_, watches) {
  node_.publish({.secret = secret_,
                 .address = reinterpret_cast<std::uintptr_t>(&secret_),
                 .pid = getpid(),
                 .sees_writes_of_others = platform::sees_writes_of_others()});
  watches_.push_back(queue_.watch());
}

ShmTransport::~ShmTransport() = default;

std::unique_ptr<Channel> ShmTransport::connect(int process) {
  const int rank = node_.rank_of(process);
  std::atomic<ShmChannel*>& known = channels_[static_cast<std::size_t>(rank)];
  assert(!known.load());
  return make_channel(memory_of_rank(rank), rings_, known);
}

PeerMemory* ShmTransport::memory_of(int process) { return &memory_of_rank(node_.rank_of(process)); }

NeighbourMemory& ShmTransport::memory_of_rank(int rank) {
  std::unique_ptr<NeighbourMemory>& memory = memories_[static_cast<std::size_t>(rank)];
  if (!memory) memory = std::make_unique<NeighbourMemory>(node_, rank);
  return *memory;
}

bool ShmTransport::poll(const Dispatcher& dispatch) {
  if (node_.threads) [[unlikely]]
    return poll_by_turns(dispatch);
  return look(dispatch);
}

// A thread that reads does not wait for anything, so this waits only while another thread reads a few packets.
bool ShmTransport::poll_by_turns(const Dispatcher& dispatch) {
  const std::lock_guard held(reading_);
  return look(dispatch);
}

bool ShmTransport::try_poll(const Dispatcher& dispatch, bool* refused) {
  if (!node_.threads) return false;
  const std::unique_lock held(reading_, std::try_to_lock);
  return held && look(dispatch, refused);
}

inline bool ShmTransport::look(const Dispatcher& dispatch, bool* refused) {
  bool any = false;
  if (watches_[queue_watch_].changed()) [[unlikely]]
    any = read_queue(dispatch, refused);
  for (InboundRing& from : rings_)
    if (watches_[from.watch].changed()) any |= read_ring(from, dispatch, refused);
  return any;
}

namespace {

// True if the packet was taken.
inline bool deliver(const Dispatcher& dispatch, int process, const PacketHeader& header, Payload payload,
                    bool* refused) {
  if (dispatch(process, header, payload)) [[likely]]
    return true;
  if (refused) *refused = true;
  return false;
}

}  // namespace

bool ShmTransport::read_ring(InboundRing& from, const Dispatcher& dispatch, bool* refused) {
  bool freed = false, left = false;
  const int used = from.reader.read(
      kFairShare,
      [&](const Cell& cell, const PacketHeader& header, Payload payload) {
        if (payload.size() > sizeof cell.inline_payload) take_receipt(from.sender, cell.elsewhere().receipt);
        return deliver(dispatch, from.process, header, payload, refused);
      },
      [&](const Cell&) { left = true; }, &freed);
  if (freed) from.bell.ring_if_asleep();
  if (left) [[unlikely]]
    rings_.end_reading(from);
  else
    watches_[from.watch] = from.reader.watch();
  return used != 0;
}

inline void ShmTransport::take_receipt(int sender, const Receipt& receipt) {
  if (receipt.ring == 0) return;
  if (ShmChannel* const channel = channels_[static_cast<std::size_t>(sender)].load(std::memory_order_relaxed))
    channel->take(receipt);
}

// If a sender's packet is in the queue while it has a ring, it was sent after all packets in the ring. So this reads
// the ring up to the mark that ends it.
bool ShmTransport::finish_ring(int sender, const Dispatcher& dispatch, bool* refused) {
  while (InboundRing* const ring = rings_.read_of(sender))
    if (!read_ring(*ring, dispatch, refused)) return false;
  return true;
}

bool ShmTransport::read_queue(const Dispatcher& dispatch, bool* refused) {
  bool freed = false;
  const auto use = [&](const Cell& cell, const PacketHeader& header, Payload payload) {
    const int sender = QueueWriter::sender_of(cell);
    if (rings_.read_of(sender) && !finish_ring(sender, dispatch, refused)) [[unlikely]]
      return false;
    if (!deliver(dispatch, node_.process_of(sender), header, payload, refused)) [[unlikely]]
      return false;
    if (QueueWriter::goes_on_in_ring(cell)) [[unlikely]]
      rings_.begin_reading(sender);
    else if (talk_.hear(sender))
      rings_.wish(sender, talk_.packets());
    return true;
  };
  const auto give_back = [&](const Cell& cell) {
    if (ShmChannel* const channel = channels_[static_cast<std::size_t>(QueueWriter::sender_of(cell))].load())
      channel->give_ring_back();
  };
  const int used = queue_.read(kFairShare, use, give_back, &freed);
  watches_[queue_watch_] = queue_.watch();
  if (freed) wake_waiting();
  return used != 0;
}

// Wakes processes that found the queue full. Some of them may find it full again.
void ShmTransport::wake_waiting() {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  for (std::size_t word = 0; word < mine_.waiting_words(); ++word) {
    if (mine_.waiting(word).load(std::memory_order_relaxed) == 0) [[likely]]
      continue;
    for (std::uint64_t bits = mine_.waiting(word).exchange(0, std::memory_order_seq_cst); bits != 0; bits &= bits - 1)
      node_.bell(static_cast<int>(word * 64) + std::countr_zero(bits)).ring_if_asleep();
  }
}

}  // namespace antiphon::transport::shm
