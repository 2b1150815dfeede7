// Context, source and tag, which decide which receive matches which message: MPI 5.0, 3.2.3 and 3.5.
#pragma once

#include <cstddef>
#include <cstdint>

#include "abi/constants.hpp"
#include "objects/context.hpp"

namespace antiphon::pt2pt {

struct Envelope {
  objects::MessageSpace space;
  std::int32_t source = 0;  // rank in the communicator; a receive may say abi::ANY_SOURCE
  std::int32_t tag = 0;     // a receive may say abi::ANY_TAG

  [[nodiscard]] bool exact() const { return source != abi::ANY_SOURCE && tag != abi::ANY_TAG; }
  // Whether a receive with this envelope matches a message with the envelope `sent`, which has no wildcards.
  [[nodiscard]] bool accepts(const Envelope& sent) const {
    return space == sent.space && (source == sent.source || source == abi::ANY_SOURCE) &&
           (tag == sent.tag || tag == abi::ANY_TAG);
  }
  bool operator==(const Envelope&) const = default;

  static constexpr std::size_t kHashes = std::size_t{1} << 16;
  // A number below kHashes, whose low bits are as evenly distributed as all others.
  [[nodiscard]] std::size_t hash() const {
    const std::uint32_t mixed = (static_cast<std::uint32_t>(tag) * 0x9e3779b1u + space.word()) * 0x85ebca77u +
                                static_cast<std::uint32_t>(source);
    return (mixed * 0xc2b2ae3du) >> 16;
  }
};

}  // namespace antiphon::pt2pt
