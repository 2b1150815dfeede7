// The table from a packet's `handler` to the engine that handles it: the only way in which packets go up. Filled
// while a Process is constructed, constant afterwards. `source` is a rank of the job; header and payload may be
// read until the handler returns. A handler may send, but it never polls. It throws BadPacket for a packet that
// cannot be.
//
// A thread that polls without the lane passes packets to without_lane(). A handler's last parameter says what it
// needs. With `const LaneHeld&` it needs the lane, and its packets stay where they are until a thread that holds
// the lane polls. With `const LaneHeld*`, null without the lane, it may be called by any thread, and returns false
// if the packet has to wait for the lane.
#pragma once

#include <fmt/format.h>

#include <array>
#include <memory>
#include <stdexcept>
#include <type_traits>

#include "abi/constants.hpp"
#include "base/lane_held.hpp"
#include "transport/bad_packet.hpp"
#include "transport/packet.hpp"

namespace antiphon::transport {

class Dispatcher {
 public:
  enum class Threads { one_at_a_time, many };
  explicit Dispatcher(Threads threads = Threads::one_at_a_time)
      : without_lane_(threads == Threads::many ? new Dispatcher(Refusing{}) : nullptr) {}
  Dispatcher(const Dispatcher&) = delete;
  Dispatcher& operator=(const Dispatcher&) = delete;

  // For threads that poll without the lane, if there may be several threads.
  [[nodiscard]] const Dispatcher& without_lane() const { return *without_lane_; }

  // Engine::*Method becomes the handler of packets marked `id`. Throws std::logic_error if there is one already.
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
                   (static_cast<Engine*>(self)->*Method)(source, header, payload, LaneHeld::kOnly);
                 } else {
                   (static_cast<Engine*>(self)->*Method)(source, header, payload);
                 }
                 return true;
               }});
    }
  }

  // False if the packet was refused.
  bool operator()(int source, const PacketHeader& header, Payload payload) const {
    const Entry& entry = entries_[header.handler];
    return entry.call(entry.engine, source, header, payload);
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
  void set(std::uint8_t id, const Entry& entry) {
    if (entries_[id].engine)
      throw std::logic_error(
          fmt::format("two engines want to handle packets of kind {}: each kind needs a number of its own", id));
    entries_[id] = entry;
  }

  template <auto Method, class Engine, bool kWithLane>
  static bool call(void* self, int source, const PacketHeader& header, Payload payload) {
    return (static_cast<Engine*>(self)->*Method)(source, header, payload,
                                                 kWithLane ? &base::LaneHeld::kOnly : nullptr);
  }
  [[noreturn, gnu::cold, gnu::noinline]] static bool unknown(void*, int source, const PacketHeader& header, Payload) {
    throw BadPacket{
        {abi::ERR_OTHER, fmt::format("process {} of the job sent a packet of kind {}, which no engine here knows: "
                                     "do all ranks run the same build?",
                                     source, header.handler)},
        source};
  }

  std::array<Entry, 256> entries_{};  // for every value that a header can have
  std::unique_ptr<Dispatcher> without_lane_;
};

}  // namespace antiphon::transport
