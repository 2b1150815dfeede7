// A collective's buffer in one piece: the user's own where its type allows that, else a packed copy, which the engine
// works on in its place. Lives on the stack of one call.
#pragma once

#include <memory>

#include "api/check.hpp"

namespace antiphon::api {

class OnePiece {
 public:
  // What is there before the call matters (loaded), or does not.
  enum class Before { loaded, ignored };

  OnePiece() = default;
  OnePiece(const check::Message& message, Before before) : message_(message), data_(message.buffer) {
    if (!message.scattered) [[likely]]
      return;
    copy_ = std::make_unique_for_overwrite<std::byte[]>(message.bytes);
    data_ = copy_.get();
    if (before == Before::loaded) layout().pack(message_.buffer, message_.scattered.count, whole(), data_);
  }

  [[nodiscard]] std::byte* data() const { return data_; }
  // After the call: results to where the user wants them.
  void store() const {
    if (copy_) [[unlikely]]
      layout().unpack(message_.buffer, message_.scattered.count, whole(), data_);
  }

 private:
  [[nodiscard]] const layout::Layout& layout() const { return message_.scattered.type->layout(); }
  [[nodiscard]] layout::Slice whole() const { return pt2pt::Scattered::slice(0, message_.bytes); }

  check::Message message_{};
  std::byte* data_ = nullptr;
  std::unique_ptr<std::byte[]> copy_;
};

}  // namespace antiphon::api
