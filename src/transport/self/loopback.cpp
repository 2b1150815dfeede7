#include "transport/self/loopback.hpp"

#include <cassert>
#include <new>

#include "base/copy.hpp"

namespace antiphon::transport {

namespace {
constexpr Capabilities kCapabilities{.max_payload = std::size_t{256} << 10, .eager_limit = std::size_t{256} << 10};
// Limits the packets that wait: there is room for several of the largest size. Each packet counts its payload, and
// what the queue and the allocator need for it.
constexpr std::size_t kMaxWaitingBytes = std::size_t{2} << 20;
constexpr std::size_t kPacketOverheadBytes = 128;
static_assert(kMaxWaitingBytes >= 4 * kCapabilities.max_payload);

std::size_t cost_of(std::size_t payload_bytes) { return payload_bytes + kPacketOverheadBytes; }
}  // namespace

class Loopback::Sender final : public Channel {
 public:
  explicit Sender(Loopback& self) : self_(self) {}

  SendStatus try_send(const PacketHeader& header, Payload payload) noexcept override {
    std::byte* room = reserve(payload.size());
    if (!room) return SendStatus::full;
    base::copy_bytes(room, payload.data(), payload.size());
    commit(header, payload.size());
    return SendStatus::sent;
  }
  std::byte* reserve(std::size_t bytes) noexcept override {
    if (self_.waiting_bytes_ + cost_of(bytes) > kMaxWaitingBytes) return nullptr;
    try {
      auto payload = std::make_unique_for_overwrite<std::byte[]>(bytes);
      return self_.waiting_.emplace_back(Packet{{}, std::move(payload), bytes}).payload.get();
    } catch (const std::bad_alloc&) {
      return nullptr;
    }
  }
  void commit(const PacketHeader& header, std::size_t bytes) noexcept override {
    self_.waiting_.back().header = header;
    self_.waiting_bytes_ += cost_of(bytes);
    self_.published_();
  }
  [[nodiscard]] const Capabilities& capabilities() const noexcept override { return kCapabilities; }

 private:
  Loopback& self_;
};

std::unique_ptr<Channel> Loopback::connect([[maybe_unused]] int peer) {
  assert(peer == self_);
  return std::make_unique<Sender>(*this);
}

bool Loopback::poll(const Dispatcher& dispatch) {
  if (waiting_.empty()) return false;
  // Only packets that are there now: if a handler sends to this process, that packet is handled in the next poll.
  for (std::size_t left = waiting_.size(); left > 0; --left) {
    const Packet& packet = waiting_.front();  // does not move when a handler adds packets
    dispatch(self_, packet.header, {packet.payload.get(), packet.bytes});
    waiting_bytes_ -= cost_of(packet.bytes);
    waiting_.pop_front();
  }
  return true;
}

}  // namespace antiphon::transport
