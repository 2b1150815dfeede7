// The engine's own state of a send and of a receive, and of a message that came before anyone asked for it.
#pragma once

#include <memory>
#include <vector>

#include "base/intrusive_list.hpp"
#include "base/lock.hpp"
#include "base/pool.hpp"
#include "engine/pt2pt/body.hpp"
#include "engine/pt2pt/envelope.hpp"
#include "objects/request.hpp"
#include "transport/packet.hpp"

namespace antiphon::pt2pt {

// Goes back to its pool when nobody needs it any more.
template <class Derived>
class PooledRequest : public objects::Request {
 public:
  using Pool = base::Pool<Derived>;

  void retire() noexcept override { go_back(); }

  [[nodiscard]] const Scattered& scattered() const { return scattered_; }
  // Kept for as long as the operation lasts: the user may free the type.
  void set_scattered(const Scattered& body) {
    scattered_ = body;
    type().retain();
  }

 protected:
  PooledRequest(Kind kind, Pool& pool) : Request(kind), pool_(pool) {}
  void go_back() noexcept {
    const objects::Ref<objects::Comm> let_go_last = end();
    if (scattered_) [[unlikely]]
      let_go();
    pool_.give_back(*static_cast<Derived*>(this));
  }
  [[nodiscard]] Pool& pool() const { return pool_; }

 private:
  [[nodiscard]] objects::Datatype& type() const { return const_cast<objects::Datatype&>(*scattered_.type); }
  [[gnu::cold, gnu::noinline]] void let_go() noexcept {
    objects::Ref<objects::Datatype>::adopt(&type()).reset();
    scattered_ = {};
  }

  Pool& pool_;
  Scattered scattered_;
};

class SendRequest final : public PooledRequest<SendRequest> {
 public:
  explicit SendRequest(Pool& pool) : PooledRequest(Kind::send, pool) {}
  using Request::start;

  int world_receiver = 0;
  std::int32_t tag = 0;
  const std::byte* data = nullptr;
  std::size_t bytes = 0;
  int parts_left = 1;  // what must still happen before it is complete: bytes gone, acknowledgement here
};

// Guarded by its pool's lock as long as it is not done, and where it is taken and given back.
class ReceiveRequest final : public PooledRequest<ReceiveRequest>, public base::ListHook {
 public:
  explicit ReceiveRequest(Pool& pool) : PooledRequest(Kind::receive, pool) {}
  using Request::start;

  // The last that the engine does with it, holding the lock: whoever sees that it is done has it for himself.
  void finish() noexcept {
    if (Refcounted::release()) [[unlikely]]
      go_back();
    else
      complete();
  }
  // The same if the user still wants it.
  void finish_for_user() noexcept {
    (void)Refcounted::release();
    complete();
  }
  // Whether only the engine still wants it. To be asked with the lock held.
  [[nodiscard]] bool is_abandoned() const noexcept { return references() == 1; }
  void retire() noexcept override;

  Envelope wanted;
  std::uint64_t order = 0;  // when it was posted, against the other posted receives
  std::byte* buffer = nullptr;
  std::size_t capacity = 0;  // bytes
  std::size_t expected = 0;  // bytes of the matched message that will be transferred
  std::size_t arrived = 0;

 private:
  [[nodiscard]] bool release_early() noexcept override;
  [[gnu::noinline]] void retire_locked() noexcept;
  [[nodiscard]] base::Lock& lock() const noexcept;
};

struct ReceivePool : ReceiveRequest::Pool {
  explicit ReceivePool(bool shared) : lock(shared) {}
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

// A message, or the announcement of one, that no posted receive wanted. Owned by the Matcher until a receive takes
// it, then by the engine until its last byte has come.
struct Unexpected : BucketHook, ArrivalHook {
  Envelope envelope;
  int world_source = 0;
  std::size_t total = 0;     // bytes of the whole message
  bool rendezvous = false;   // announced only: the bytes come when asked for
  bool acknowledge = false;  // a synchronous sender waits for the match
  std::uint64_t sender_cookie = 0;
  std::uint64_t sender_address = 0;  // of an announced message in its sender's memory
  std::shared_ptr<const Elsewhere> sender_layout;
  std::vector<std::byte> data;  // what has arrived

  [[nodiscard]] bool is_whole() const { return !rendezvous && data.size() == total; }
  // What a probe tells.
  [[nodiscard]] objects::Outcome outcome() const {
    return {.source = envelope.source, .tag = envelope.tag, .bytes = static_cast<std::int64_t>(total)};
  }
};

}  // namespace antiphon::pt2pt
