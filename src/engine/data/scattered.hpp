// Where bytes are that are not contiguous: scattered over a buffer as a datatype's layout says, in this process or in
// another. Offsets count packed bytes, so protocols need not tell them from contiguous bytes. Values; the datatype is
// committed and must outlive all use of its bytes.
#pragma once

#include <optional>

#include "layout/regular.hpp"
#include "objects/datatype.hpp"

namespace antiphon::data {

struct Scattered {
  const objects::Datatype* type = nullptr;  // null: the bytes are contiguous
  std::int64_t count = 0;

  explicit operator bool() const { return type != nullptr; }
  [[nodiscard]] static layout::Slice slice(std::size_t offset, std::size_t bytes) {
    return {static_cast<std::int64_t>(offset), static_cast<std::int64_t>(bytes)};
  }
};

// Scattered data in another process's memory, as that process has described it.
struct Elsewhere {
  explicit Elsewhere(const layout::Regular& told)
      : layout(placed(told), 0),
        low(told.low()),
        span(static_cast<std::size_t>(told.high() - told.low())),
        block(static_cast<std::size_t>(told.block)) {}

  layout::Layout layout;
  std::int64_t low;   // from the buffer's address to the first byte in memory
  std::size_t span;   // bytes of memory from the first byte to the last
  std::size_t block;  // bytes of each run
};

// A short description of the data for another process; empty if there is none.
[[nodiscard]] std::optional<layout::Regular> in_few_words(const Scattered& body);

// Keeps a datatype that the user may free while an operation still needs it.
class KeptType {
 public:
  explicit KeptType(const Scattered& scattered) {
    if (scattered) type_ = objects::Ref<objects::Datatype>::share(const_cast<objects::Datatype&>(*scattered.type));
  }

 private:
  objects::Ref<objects::Datatype> type_;
};

}  // namespace antiphon::data
