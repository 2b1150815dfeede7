// A request as the other side quotes it back: its address in the memory of the process that made it. Only here is a
// number from the wire believed to be an object; the type says what it was made of.
#pragma once

#include <cstdint>

namespace antiphon::pt2pt {

template <class Request>
struct Cookie {
  std::uint64_t value = 0;

  Cookie() = default;
  explicit Cookie(std::uint64_t from_wire) : value(from_wire) {}
  explicit Cookie(const Request& request) : value(reinterpret_cast<std::uintptr_t>(&request)) {}

  [[nodiscard]] Request& request() const { return *reinterpret_cast<Request*>(static_cast<std::uintptr_t>(value)); }
};

}  // namespace antiphon::pt2pt
