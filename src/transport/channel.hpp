// The contract of every transport; tests/contract checks it.
//
// Packets of one Channel arrive in order and exactly once. try_send never blocks and never allocates, and it
// copies what it accepts, so the caller may reuse the bytes at once. `full` is back-pressure, not an error: the
// caller keeps the packet and tries again after its next poll, and the transport wakes a sleeping sender when
// there is room.
//
// Scattered data is packed directly into the channel's own memory: reserve() returns room for one payload, which
// the caller fills and then must commit(). Nothing else may happen in between.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "transport/dispatcher.hpp"
#include "transport/packet.hpp"
#include "transport/peer_memory.hpp"

namespace antiphon::transport {

enum class SendStatus { sent, full };

struct Capabilities {
  std::size_t max_payload = 0;  // of one packet, in bytes; at least 32, so that control messages need only one
  std::size_t eager_limit = 0;  // up to this length a message is sent without asking the receiver
  std::size_t least_part = std::size_t{32} << 10;  // shortest part of a copy that is divided (SharedWork)
  std::size_t least_run = std::size_t{8} << 10;    // shortest run of scattered data that such a copy is used for
  bool many_senders = false;                       // several threads may be in try_send() at once
};

// The sending end towards one process.
class Channel {
 public:
  virtual ~Channel() = default;
  [[nodiscard]] virtual SendStatus try_send(const PacketHeader&, Payload) noexcept = 0;
  // Null means back-pressure, as `full` does.
  [[nodiscard]] virtual std::byte* reserve(std::size_t bytes) noexcept = 0;
  virtual void commit(const PacketHeader&, std::size_t bytes) noexcept = 0;
  [[nodiscard]] virtual const Capabilities& capabilities() const noexcept = 0;
  // What memory_of() of the transport returns for this peer.
  [[nodiscard]] virtual PeerMemory* peer_memory() noexcept { return nullptr; }
};

// A word in memory that changes when something has arrived. If a transport has such words for everything that it
// polls, others can see whether a poll would find something.
struct Watch {
  const std::atomic<std::uint32_t>* word;
  std::uint32_t seen;

  [[nodiscard]] bool changed() const noexcept { return word->load(std::memory_order_acquire) != seen; }
};
using Watches = std::vector<Watch>;

class Transport {
 public:
  virtual ~Transport() = default;
  [[nodiscard]] virtual std::unique_ptr<Channel> connect(int peer) = 0;
  // How to reach a peer's memory, for messages and windows; owned by the transport. Opens no channel. Null if it
  // cannot be reached.
  [[nodiscard]] virtual PeerMemory* memory_of(int) { return nullptr; }
  // Passes every packet that has arrived to the dispatcher, up to a fair share for each sender; true if there was
  // one, or a part of one was received or sent.
  virtual bool poll(const Dispatcher&) = 0;
  // For a thread that does not hold the lane; does nothing while another thread polls. *refused is set if the
  // dispatcher refused a packet because it needs the lane. A transport need not support this.
  virtual bool try_poll(const Dispatcher&, [[maybe_unused]] bool* refused) { return false; }
  // Whether packets that channels have taken are still in this process; polls send them.
  [[nodiscard]] virtual bool has_unsent() const noexcept { return false; }
  // This process will not poll any more, or not for a long time, and may end. Tells all processes to which it is
  // connected, so that they do not take the end of a connection for a failure.
  virtual void say_goodbye() {}
};

}  // namespace antiphon::transport
