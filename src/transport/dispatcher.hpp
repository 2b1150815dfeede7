// The door through which packets go up: a table from a packet's `handler` to the engine that understands it. Filled
// while a Process is composed, constant afterwards. `source` is a rank of the job; header and payload may be
// read until the handler returns. A handler may send, but it never polls.
//
// A thread that polls without the lane hands packets to without_lane(). What a handler needs it says in its last
// parameter: one with `const LaneHeld&` is for the lane's holder, and its packets stay where they are until he comes;
// one with `const LaneHeld*` is for all, null being without, and tells with false that the packet has to wait for
// him.
//
// A handler that finds no memory throws std::bad_alloc, and must not have changed anything that is wrong if it is
// called again with the same packet. That is one more way to refuse it: the packet stays the first of its sender, and
// later polls hand it out again. No other exception is expected of a handler; one that is thrown all the same passes
// through the transport, and leaves the packet there, too.
#pragma once

#include <fmt/format.h>

#include <array>
#include <functional>
#include <memory>
#include <new>
#include <stdexcept>
#include <type_traits>

#include "base/lane_held.hpp"
#include "transport/packet.hpp"

namespace antiphon::transport {

class Dispatcher {
 public:
  enum class Threads { one_at_a_time, many };
  explicit Dispatcher(Threads threads = Threads::one_at_a_time)
      : without_lane_(threads == Threads::many ? new Dispatcher(Refusing{}) : nullptr) {}
  Dispatcher(const Dispatcher&) = delete;
  Dispatcher& operator=(const Dispatcher&) = delete;

  // For those who do not hold the lane, where several threads poll.
  [[nodiscard]] const Dispatcher& without_lane() const { return *without_lane_; }

  // Engine::*Method becomes the handler of packets marked `id`.
  template <auto Method, class Engine>
  void on(std::uint8_t id, Engine& engine) {
    using LaneHeld = base::LaneHeld;
    if constexpr (std::is_invocable_v<decltype(Method), Engine&, int, const PacketHeader&, Payload,
                                      const LaneHeld*>) {
      set(id, {&engine, call<Method, Engine, true>});
      if (without_lane_) without_lane_->set(id, {&engine, call<Method, Engine, false>});
    } else {
      set(id, {&engine, [](void* self, int source, const PacketHeader& header, Payload payload) {
                 if constexpr (std::is_invocable_v<decltype(Method), Engine&, int, const PacketHeader&, Payload,
                                                   const LaneHeld&>) {
                   (static_cast<Engine*>(self)->*Method)(source, header, payload, LaneHeld::vouch());
                 } else if constexpr (std::is_invocable_r_v<bool, decltype(Method), Engine&, int, const PacketHeader&,
                                                            Payload>) {
                   return (static_cast<Engine*>(self)->*Method)(source, header, payload);
                 } else {
                   (static_cast<Engine*>(self)->*Method)(source, header, payload);
                 }
                 return true;
               }});
    }
  }

  // What is to happen when a handler has found no memory in the lane: whoever polls has to come again.
  void on_lack_of_memory(std::function<void()> tell) { tell_lack_ = std::move(tell); }

  // False if it was refused.
  bool operator()(int source, const PacketHeader& header, Payload payload) const {
    const Entry& entry = entries_[header.handler];
    try {
      return entry.call(entry.engine, source, header, payload);
    } catch (const std::bad_alloc&) {
      if (tell_lack_) tell_lack_();
      return false;
    }
  }

 private:
  using Handler = bool (*)(void* engine, int source, const PacketHeader&, Payload);
  struct Refusing {};
  struct Entry {
    void* engine = nullptr;
    Handler call = unknown;
  };

  explicit Dispatcher(Refusing) {
    entries_.fill({nullptr, [](void*, int, const PacketHeader&, Payload) { return false; }});
  }
  void set(std::uint8_t id, const Entry& entry) { entries_[id] = entry; }

  template <auto Method, class Engine, bool kWithLane>
  static bool call(void* self, int source, const PacketHeader& header, Payload payload) {
    return (static_cast<Engine*>(self)->*Method)(source, header, payload,
                                                 kWithLane ? &base::LaneHeld::vouch() : nullptr);
  }
  [[noreturn, gnu::cold, gnu::noinline]] static bool unknown(void*, int source, const PacketHeader& header, Payload) {
    throw std::runtime_error(
        fmt::format("process {} of the job sent a packet of kind {}, which no engine here knows: "
                    "do all ranks run the same build?",
                    source, header.handler));
  }

  std::array<Entry, 256> entries_{};  // for whatever a header may say
  std::function<void()> tell_lack_;
  std::unique_ptr<Dispatcher> without_lane_;
};

}  // namespace antiphon::transport
