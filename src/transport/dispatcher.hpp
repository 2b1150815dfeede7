// The door through which packets go up: a table from a packet's `handler` to the engine that understands it. Filled
// while a Process is composed, constant afterwards. `source` is a rank of the job; header and payload may be
// read until the handler returns. A handler may send, but it never polls. One that returns a bool may refuse the
// packet with false: it stays where it is, for another dispatcher.
#pragma once

#include <array>
#include <type_traits>

#include "transport/packet.hpp"

namespace antiphon::transport {

class Dispatcher {
 public:
  using Handler = bool (*)(void* engine, int source, const PacketHeader&, Payload);

  enum class Others { ignored, refused };
  // What happens to packets without a handler.
  explicit Dispatcher(Others others = Others::ignored) {
    if (others == Others::refused)
      entries_.fill({nullptr, [](void*, int, const PacketHeader&, Payload) { return false; }});
  }

  // Engine::*Method becomes the handler of packets marked `id`.
  template <auto Method, class Engine>
  void on(std::uint8_t id, Engine& engine) {
    entries_[id] = {&engine, [](void* self, int source, const PacketHeader& header, Payload payload) {
                      auto* const to = static_cast<Engine*>(self);
                      if constexpr (std::is_void_v<decltype((to->*Method)(source, header, payload))>) {
                        (to->*Method)(source, header, payload);
                        return true;
                      } else {
                        return (to->*Method)(source, header, payload);
                      }
                    }};
  }

  // False if it was refused.
  bool operator()(int source, const PacketHeader& header, Payload payload) const {
    const Entry& entry = entries_[header.handler % entries_.size()];
    return entry.call(entry.engine, source, header, payload);
  }

 private:
  struct Entry {
    void* engine = nullptr;
    Handler call = [](void*, int, const PacketHeader&, Payload) { return true; };
  };
  std::array<Entry, 32> entries_{};
};

}  // namespace antiphon::transport
