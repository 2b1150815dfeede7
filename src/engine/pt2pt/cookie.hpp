// How a packet refers to a request: by its address in the process that owns it. Only this class turns a number from a
// packet back into an object; its type says what kind of object that is.
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
