#include "transport/self/loopback.hpp"

#include <cassert>
#include <new>

namespace antiphon::transport {

namespace {
constexpr Capabilities kCapabilities{.max_payload = std::size_t{256} << 10, .eager_limit = std::size_t{256} << 10};
// What may wait: several packets of the largest size. A packet also counts what queue and allocator add to its
// payload.
constexpr std::size_t kMaxWaitingBytes = std::size_t{2} << 20;
constexpr std::size_t kPacketOverheadBytes = 128;
static_assert(kMaxWaitingBytes >= 4 * kCapabilities.max_payload);

std::size_t cost_of(std::size_t payload_bytes) { return payload_bytes + kPacketOverheadBytes; }
}  // namespace

class Loopback::Sender final : public Channel {
 public:
  explicit Sender(Loopback& self) : self_(self) {}

  SendStatus try_send(const PacketHeader& header, Payload payload) noexcept override {
    const std::size_t cost = cost_of(payload.size());
    if (self_.waiting_bytes_ + cost > kMaxWaitingBytes) return SendStatus::full;
    try {
      self_.waiting_.push_back({header, {payload.begin(), payload.end()}});
    } catch (const std::bad_alloc&) {
      return SendStatus::full;
    }
    self_.waiting_bytes_ += cost;
    self_.published_();
    return SendStatus::sent;
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
  // Only what is there now: a handler that sends to itself again gets its answer at the next poll.
  for (std::size_t left = waiting_.size(); left > 0; --left) {
    const Packet packet = std::move(waiting_.front());
    waiting_.pop_front();
    waiting_bytes_ -= cost_of(packet.payload.size());
    dispatch(self_, packet.header, packet.payload);
  }
  return true;
}

}  // namespace antiphon::transport
