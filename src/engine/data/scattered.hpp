// Where bytes are that are not contiguous: scattered over a buffer as a datatype's layout says, here or in another
// process's memory. Offsets count packed bytes, so protocols need not know the difference. Values; the type is
// committed and outlives all use of its bytes.
#pragma once

#include <optional>

#include "layout/regular.hpp"
#include "objects/datatype.hpp"

namespace antiphon::data {

struct Scattered {
  const objects::Datatype* type = nullptr;  // null: in one piece after all
  std::int64_t count = 0;

  explicit operator bool() const { return type != nullptr; }
  [[nodiscard]] static layout::Slice slice(std::size_t offset, std::size_t bytes) {
    return {static_cast<std::int64_t>(offset), static_cast<std::int64_t>(bytes)};
  }
};

// What is scattered in another process's memory, as that process has told.
struct Elsewhere {
  explicit Elsewhere(const layout::Regular& told)
      : layout(placed(told), 0),
        low(told.low()),
        span(static_cast<std::size_t>(told.high() - told.low())),
        block(static_cast<std::size_t>(told.block)) {}

  layout::Layout layout;
  std::int64_t low;   // where its first byte in memory is, from the buffer's address on
  std::size_t span;   // bytes of memory from there to its last
  std::size_t block;  // bytes of each run
};

// What another process may be told about it in a few words, if there are such.
[[nodiscard]] std::optional<layout::Regular> in_few_words(const Scattered& body);

// A datatype that the user may free while an operation still needs it.
class KeptType {
 public:
  explicit KeptType(const Scattered& scattered) {
    if (scattered) type_ = objects::Ref<objects::Datatype>::share(const_cast<objects::Datatype&>(*scattered.type));
  }

 private:
  objects::Ref<objects::Datatype> type_;
};

}  // namespace antiphon::data
