// The engine's state of a send, of a receive, and of an unexpected message.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "base/error.hpp"
#include "base/intrusive_list.hpp"
#include "base/lane_held.hpp"
#include "base/lock.hpp"
#include "base/pool.hpp"
#include "engine/data/move.hpp"
#include "engine/incoming.hpp"
#include "engine/pt2pt/arguments.hpp"
#include "engine/pt2pt/experience.hpp"
#include "objects/request.hpp"

namespace antiphon::pt2pt {

// The envelope in the header of a packet that must be matched.
[[nodiscard]] inline Envelope envelope_of(const transport::PacketHeader& header) {
  return {objects::MessageSpace::of_word(header.context), header.source, header.tag};
}

// Refuses a packet that begins a message with such an envelope, unless a message could have it.
inline void need_message(const packets::Incoming& packet, const Envelope& sent) {
  packet.need(sent.source >= 0 && sent.tag >= 0, "its source or its tag is negative");
  packet.need(packet.header.word[0] <= INT64_MAX, "the message has more bytes than an address space");
}

// A request that returns to its pool when neither the user nor the engine needs it any more.
template <class Derived>
class PooledRequest : public objects::Request {
 public:
  using Pool = base::Pool<Derived>;

  void retire() noexcept override { go_back(); }

  [[nodiscard]] const data::Scattered& scattered() const { return scattered_; }
  // Keeps a reference to the datatype while the operation lasts, because the user may free it.
  void set_scattered(const data::Scattered& body) {
    scattered_ = body;
    is_unusual_ = true;
    type().retain();
  }
  // Whether completing it takes more than marking it done: its buffer is scattered, or the user has freed the
  // request.
  [[nodiscard]] bool is_unusual() const noexcept { return is_unusual_; }

 protected:
  PooledRequest(Kind kind, Pool& pool) : Request(kind), pool_(pool) {}

  [[nodiscard]] bool abandon() noexcept override {
    if (done()) return true;
    is_abandoned_ = is_unusual_ = true;
    return false;
  }
  // The engine's last access to the request. After complete() it belongs to the thread that sees it done.
  void finish_with_care() noexcept {
    if (is_abandoned_) [[unlikely]]
      go_back();
    else
      complete();
  }
  void go_back() noexcept {
    const objects::Ref<objects::Comm> let_go_last = end();
    if (is_unusual_) [[unlikely]]
      become_usual();
    pool_.give_back(*static_cast<Derived*>(this));
  }
  [[nodiscard]] Pool& pool() const { return pool_; }

 private:
  [[nodiscard]] objects::Datatype& type() const { return const_cast<objects::Datatype&>(*scattered_.type); }
  [[gnu::cold, gnu::noinline]] void become_usual() noexcept {
    if (scattered_) objects::Ref<objects::Datatype>::adopt(&type()).reset();
    scattered_ = {};
    is_abandoned_ = is_unusual_ = false;
  }

  Pool& pool_;
  data::Scattered scattered_;
  bool is_unusual_ = false;
  bool is_abandoned_ = false;
};

// The lane protects it.
class SendRequest final : public PooledRequest<SendRequest> {
 public:
  explicit SendRequest(Pool& pool) : PooledRequest(Kind::send, pool) {}
  using Request::start;

  // One of the parts_left events has happened.
  void part_done() noexcept {
    if (--parts_left == 0) finish_with_care();
  }
  [[nodiscard]] base::WaitReason reason() const override;

  // What the receiver may answer.
  enum class Awaits : std::uint8_t {
    acknowledgement,  // of a synchronous message: that it has been matched
    fetching,         // of an announced message: how its bytes are to be moved
    last_part,        // both copy: that the receiver has copied the last part
  };

  int world_receiver = 0;
  std::int32_t tag = 0;
  const std::byte* data = nullptr;
  std::size_t bytes = 0;
  int parts_left = 1;          // events before it is complete: all bytes sent, acknowledgement received
  links::Cookie cookie = 0;    // while the receiver has to answer
  Awaits awaits{};             // likewise
  bool is_cancelling = false;  // likewise: the receiver has been asked to drop the message
};

// Called for each new request before its first use.
using PrepareRequest = std::function<void(objects::Request&)>;

class SendPool : public SendRequest::Pool {
 public:
  using Pool::Pool;
  // A request for a send to `process` that is not complete yet.
  [[nodiscard]] objects::Ref<SendRequest> start(const Send& send, int process);
  // A completed request, for a send that needs none but must return one.
  [[nodiscard]] objects::Ref<SendRequest> start_completed(objects::Comm& comm);

  // Gives the request a cookie, for the receiver's answers.
  links::Cookie await(SendRequest& request, SendRequest::Awaits what) {
    request.cookie = answers_.add(request.world_receiver, &request);
    request.awaits = what;
    request.is_cancelling = false;
    return request.cookie;
  }
  // The request that a packet answers with this cookie.
  [[nodiscard]] SendRequest& answered(const packets::Incoming& packet, links::Cookie cookie) {
    return *packet.named(answers_, cookie);
  }
  // The receiver will not answer any more.
  void answered_last(SendRequest& request) {
    answers_.end(request.cookie);
    request.cookie = 0;
  }

 private:
  links::Pending<SendRequest*, links::PendingKind::send> answers_;
};

// Its section's lock protects it until it is done, and when it is taken from and returned to its pool.
class ReceiveRequest final : public PooledRequest<ReceiveRequest>, public base::ListHook {
 public:
  explicit ReceiveRequest(Pool& pool) : PooledRequest(Kind::receive, pool) {}
  using Request::start;

  // The receive has matched a message of `total` bytes; those beyond the capacity are dropped.
  [[gnu::always_inline]] void begin(const Envelope& sent, std::size_t total) {
    outcome.source = sent.source;
    outcome.tag = sent.tag;
    outcome.bytes = static_cast<std::int64_t>(std::min(total, capacity));
    arrived = 0;
    expected = total;
    if (total > capacity) [[unlikely]]
      truncate(sent, total);
  }
  [[gnu::always_inline]] void append(transport::Payload payload) {
    const std::size_t room = capacity > arrived ? capacity - arrived : 0;
    data::unpack_part(buffer, scattered(), arrived, payload.data(), std::min(room, payload.size()));
    arrived += payload.size();
  }
  [[nodiscard]] bool has_all() const { return arrived == expected; }
  // Whether a packet may bring so many bytes next.
  [[nodiscard]] bool may_append(std::size_t bytes) const { return bytes != 0 && bytes <= expected - arrived; }
  // The outcome of a completed receive; throws if it failed.
  [[nodiscard]] const objects::Outcome& need_success() const {
    if (outcome.error != 0) [[unlikely]]
      base::fail(outcome.error, *error_text);
    return outcome;
  }
  // Call it with the section's lock held.
  void finish() noexcept { finish_with_care(); }
  void retire() noexcept override;
  [[nodiscard]] base::WaitReason reason() const override;

  Envelope wanted;
  std::uint64_t order = 0;  // its position in the order of posting
  std::byte* buffer = nullptr;
  std::size_t capacity = 0;  // bytes
  std::size_t expected = 0;  // bytes of the matched message that will be transferred
  std::size_t arrived = 0;
  WayName way{};                     // the method that moves a long message
  Experience* experience = nullptr;  // where the method's speed is recorded; null: nowhere

 private:
  [[nodiscard]] bool abandon() noexcept override;
  [[gnu::noinline]] void retire_locked() noexcept;
  [[gnu::cold]] void truncate(const Envelope& sent, std::size_t total);
  [[nodiscard]] base::Lock& lock() const noexcept;
};

struct ReceivePool : ReceiveRequest::Pool {
  explicit ReceivePool(bool shared, const PrepareRequest& prepare = {}) : Pool(prepare), lock(shared) {}
  base::Lock lock;
};

inline base::Lock& ReceiveRequest::lock() const noexcept { return static_cast<ReceivePool&>(pool()).lock; }
inline void ReceiveRequest::retire() noexcept {
  if (lock().shared()) [[unlikely]]
    return retire_locked();
  go_back();
}

struct BucketHook : base::ListHook {};
struct ArrivalHook : base::ListHook {};

// A message that arrived, or was announced, when no posted receive matched it. Owned by the Matcher until a receive
// or a matched probe takes it. If all of it is here, whole() returns its bytes; otherwise give_to() knows how to get
// the rest.
class Unexpected : public BucketHook, public ArrivalHook {
 public:
  Unexpected(const Envelope& sent, int process, std::size_t bytes)
      : envelope(sent), world_source(process), total(bytes) {}
  Unexpected(const Unexpected&) = delete;
  Unexpected& operator=(const Unexpected&) = delete;
  virtual ~Unexpected() = default;

  // All bytes of the message, if they are here and the sender wants no acknowledgement; null otherwise. Call it with
  // the section's lock held.
  [[nodiscard]] const std::vector<std::byte>* whole() const { return is_whole_ ? &bytes_ : nullptr; }
  // The cookie of the sender's request that completes when this message has been received; 0 if there is none.
  [[nodiscard]] virtual std::uint64_t sender_cookie() const { return 0; }
  // Passes the message to a receive for which begin() has been called.
  virtual void give_to(ReceiveRequest& request, const base::LaneHeld& lane) = 0;

  // The outcome that a probe returns.
  [[nodiscard]] objects::Outcome outcome() const {
    return {.source = envelope.source, .tag = envelope.tag, .bytes = static_cast<std::int64_t>(total)};
  }

  const Envelope envelope;
  const int world_source;
  const std::size_t total;  // bytes of the whole message

 protected:
  std::vector<std::byte> bytes_;  // the bytes that have arrived
  bool is_whole_ = false;
};

}  // namespace antiphon::pt2pt
