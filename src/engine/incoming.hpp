// A packet as it reaches a handler, with the checks that handlers have in common. Nothing in it is trusted: a handler
// compares every field that it uses with what is possible, before it changes anything. A value on the handler's
// stack.
#pragma once

#include <cstring>
#include <string_view>
#include <type_traits>

#include "engine/links/pending.hpp"
#include "transport/bad_packet.hpp"
#include "transport/packet.hpp"

namespace antiphon::packets {

struct Incoming {
  int source;  // process of the job
  const transport::PacketHeader& header;
  transport::Payload payload;

  // Throws BadPacket. `what` is a sentence about a field, which goes on after the name of the packet.
  [[noreturn, gnu::cold, gnu::noinline]] void refuse(std::string_view what) const;
  [[gnu::always_inline]] void need(bool possible, const char* what) const {
    if (!possible) [[unlikely]]
      refuse(what);
  }
  // No flags but these.
  void need_flags(unsigned possible) const { need((header.flags & ~possible) == 0, "its flags mean nothing"); }
  void need_no_payload() const { need(payload.empty(), "it has a payload"); }

  // The payload, which must be an Argument and nothing else; or its beginning.
  template <class Argument>
  [[nodiscard]] Argument argument() const {
    need(payload.size() == sizeof(Argument), "its payload has another length than packets of this kind");
    return beginning<Argument>();
  }
  template <class Argument>
  [[nodiscard]] Argument beginning() const {
    static_assert(std::is_trivially_copyable_v<Argument>);
    need(payload.size() >= sizeof(Argument), "its payload is shorter than packets of this kind are");
    Argument argument{};
    std::memcpy(&argument, payload.data(), sizeof argument);
    return argument;
  }
  // What a cookie names, which must wait for the packet's sender.
  template <class T, links::PendingKind kKind>
  [[nodiscard]] T& named(links::Pending<T, kKind>& pending, links::Cookie cookie) const {
    T* const operation = pending.find(cookie, source);
    need(operation != nullptr, "its cookie names nothing that waits for that process");
    return *operation;
  }
};

}  // namespace antiphon::packets
