// A message of fixed size on its way through a socket that does not block.
#pragma once

#include <cstddef>
#include <span>

namespace antiphon::launch {

enum class Moved { all, not_yet, broken };

// Reads never take more than the message, since what follows it belongs to somebody else.
class FixedTransfer {
 public:
  FixedTransfer() = default;
  void begin(std::span<std::byte> message) { left_ = message; }
  [[nodiscard]] Moved read_from(int descriptor);
  [[nodiscard]] Moved write_to(int descriptor);

 private:
  std::span<std::byte> left_;
};

}  // namespace antiphon::launch
