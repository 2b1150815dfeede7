// The door through which packets go up: a table from a packet's `handler` to the engine that understands it. Filled
// while a Process is composed, constant afterwards. `source` is a rank of the job; header and payload may be
// read until the handler returns. A handler may send, but it never polls.
#pragma once

#include <array>

#include "transport/packet.hpp"

namespace antiphon::transport {

class Dispatcher {
 public:
  using Handler = void (*)(void* engine, int source, const PacketHeader&, Payload);

  // Engine::*Method becomes the handler of packets marked `id`.
  template <auto Method, class Engine>
  void on(std::uint8_t id, Engine& engine) {
    entries_[id] = {&engine, [](void* self, int source, const PacketHeader& header, Payload payload) {
                      (static_cast<Engine*>(self)->*Method)(source, header, payload);
                    }};
  }

  void operator()(int source, const PacketHeader& header, Payload payload) const {
    const Entry& entry = entries_[header.handler % entries_.size()];
    entry.call(entry.engine, source, header, payload);
  }

 private:
  struct Entry {
    void* engine = nullptr;
    Handler call = [](void*, int, const PacketHeader&, Payload) {};
  };
  std::array<Entry, 32> entries_{};
};

}  // namespace antiphon::transport
