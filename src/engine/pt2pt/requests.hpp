// The engine's own state of a send, of a receive, and of an unexpected message.
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
#include "engine/pt2pt/arguments.hpp"
#include "engine/pt2pt/experience.hpp"
#include "objects/request.hpp"

namespace antiphon::pt2pt {

// What a packet that has to be matched says.
[[nodiscard]] inline Envelope envelope_of(const transport::PacketHeader& header) {
  return {objects::MessageSpace::of_word(header.context), header.source, header.tag};
}

// Goes back to its pool when nobody needs it any more.
template <class Derived>
class PooledRequest : public objects::Request {
 public:
  using Pool = base::Pool<Derived>;

  void retire() noexcept override { go_back(); }

  [[nodiscard]] const data::Scattered& scattered() const { return scattered_; }
  // Kept for as long as the operation lasts: the user may free the type.
  void set_scattered(const data::Scattered& body) {
    scattered_ = body;
    is_unusual_ = true;
    type().retain();
  }
  // Whether its end takes more than to mark it done: it is scattered, or its user has let go of it.
  [[nodiscard]] bool is_unusual() const noexcept { return is_unusual_; }

 protected:
  PooledRequest(Kind kind, Pool& pool) : Request(kind), pool_(pool) {}

  [[nodiscard]] bool abandon() noexcept override {
    if (done()) return true;
    is_abandoned_ = is_unusual_ = true;
    return false;
  }
  // The last that the engine does with it. Whoever sees that it is done has it for himself.
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

// Guarded by the lane's lock.
class SendRequest final : public PooledRequest<SendRequest> {
 public:
  explicit SendRequest(Pool& pool) : PooledRequest(Kind::send, pool) {}
  using Request::start;

  // One of the parts that it waits for.
  void part_done() noexcept {
    if (--parts_left == 0) finish_with_care();
  }
  [[nodiscard]] base::WaitReason reason() const override;

  int world_receiver = 0;
  std::int32_t tag = 0;
  const std::byte* data = nullptr;
  std::size_t bytes = 0;
  int parts_left = 1;  // what must still happen before it is complete: bytes gone, acknowledgement here
};

// What is done with each new request, before it is first used.
using PrepareRequest = std::function<void(objects::Request&)>;

class SendPool : public SendRequest::Pool {
 public:
  using Pool::Pool;
  // For a send that has not gone yet, to that process of the job.
  [[nodiscard]] objects::Ref<SendRequest> start(const Send& send, int process);
  // For one that needs none, but has to have one.
  [[nodiscard]] objects::Ref<SendRequest> start_completed(objects::Comm& comm);
};

// Guarded by its section's lock as long as it is not done, and where it is taken and given back.
class ReceiveRequest final : public PooledRequest<ReceiveRequest>, public base::ListHook {
 public:
  explicit ReceiveRequest(Pool& pool) : PooledRequest(Kind::receive, pool) {}
  using Request::start;

  // A message has been matched: `expected` bytes will arrive, of which those beyond the capacity are dropped.
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
  // Of one that is over: how it ended; throws what went wrong.
  [[nodiscard]] const objects::Outcome& need_success() const {
    if (outcome.error != 0) [[unlikely]]
      base::fail(outcome.error, *error_text);
    return outcome;
  }
  // With the section's lock held.
  void finish() noexcept { finish_with_care(); }
  void retire() noexcept override;
  [[nodiscard]] base::WaitReason reason() const override;

  Envelope wanted;
  std::uint64_t order = 0;  // when it was posted, against the other posted receives
  std::byte* buffer = nullptr;
  std::size_t capacity = 0;  // bytes
  std::size_t expected = 0;  // bytes of the matched message that will be transferred
  std::size_t arrived = 0;
  WayName way{};                     // on which it is fetched, if it is long
  Experience* experience = nullptr;  // of messages such as the one that is fetched; null: none is needed

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

// A message, or the announcement of one, that no posted receive wanted. Owned by the Matcher until a receive or a
// matched probe takes it. What has come is whole(), or else give_to() knows how the rest comes.
class Unexpected : public BucketHook, public ArrivalHook {
 public:
  Unexpected(const Envelope& sent, int process, std::size_t bytes)
      : envelope(sent), world_source(process), total(bytes) {}
  Unexpected(const Unexpected&) = delete;
  Unexpected& operator=(const Unexpected&) = delete;
  virtual ~Unexpected() = default;

  // All its bytes, if they are here and nobody waits to hear that it was received; null otherwise. With the section's
  // lock held.
  [[nodiscard]] const std::vector<std::byte>* whole() const { return is_whole_ ? &bytes_ : nullptr; }
  // What the sender calls its request that ends when this has been received; 0: it does not wait for that.
  [[nodiscard]] virtual std::uint64_t sender_cookie() const { return 0; }
  // To a receive that has begun with it.
  virtual void give_to(ReceiveRequest& request, const base::LaneHeld& lane) = 0;

  // What a probe tells.
  [[nodiscard]] objects::Outcome outcome() const {
    return {.source = envelope.source, .tag = envelope.tag, .bytes = static_cast<std::int64_t>(total)};
  }

  const Envelope envelope;
  const int world_source;
  const std::size_t total;  // bytes of the whole message

 protected:
  std::vector<std::byte> bytes_;  // what has come
  bool is_whole_ = false;
};

}  // namespace antiphon::pt2pt
