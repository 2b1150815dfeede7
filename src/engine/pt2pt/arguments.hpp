// The checked and decoded arguments of the sends and receives of MPI 5.0, chapter 3. The buffer must stay where it
// is, and the datatype must exist, until the operation is complete.
#pragma once

#include "engine/data/scattered.hpp"
#include "engine/pt2pt/envelope.hpp"
#include "objects/comm.hpp"
#include "objects/request.hpp"

namespace antiphon::pt2pt {

enum class Mode { standard, synchronous };

struct Send {
  const void* buffer;
  std::size_t bytes;
  int destination;  // rank in comm, or abi::PROC_NULL
  std::int32_t tag;
  objects::Comm& comm;
  objects::MessageSpace space;  // of comm
  Mode mode = Mode::standard;
  data::Scattered scattered = {};  // their layout, if they are not contiguous from `buffer` on

  [[nodiscard]] const std::byte* data() const { return static_cast<const std::byte*>(buffer); }
};

struct Receive {
  void* buffer;
  std::size_t capacity;  // bytes
  int source;            // rank in comm, abi::ANY_SOURCE or abi::PROC_NULL
  std::int32_t tag;      // or abi::ANY_TAG
  objects::Comm& comm;
  objects::MessageSpace space;
  data::Scattered scattered = {};

  [[nodiscard]] Envelope wanted() const { return {space, source, tag}; }
};

inline constexpr objects::Outcome kFromNobody{.source = abi::PROC_NULL, .tag = abi::ANY_TAG};

}  // namespace antiphon::pt2pt
