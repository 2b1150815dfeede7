// A descriptor that is closed when its owner goes; -1: none.
#pragma once

#include <unistd.h>

#include <utility>

namespace antiphon::platform {

class OwnedDescriptor {
 public:
  OwnedDescriptor() = default;
  explicit OwnedDescriptor(int descriptor) : descriptor_(descriptor) {}
  OwnedDescriptor(OwnedDescriptor&& other) noexcept : descriptor_(other.release()) {}
  OwnedDescriptor& operator=(OwnedDescriptor&& other) noexcept {
    if (this != &other) {
      reset();
      descriptor_ = other.release();
    }
    return *this;
  }
  ~OwnedDescriptor() { reset(); }

  [[nodiscard]] int get() const { return descriptor_; }
  // The caller owns it from now on.
  [[nodiscard]] int release() { return std::exchange(descriptor_, -1); }

 private:
  void reset() {
    if (descriptor_ >= 0) close(release());
  }

  int descriptor_ = -1;
};

}  // namespace antiphon::platform
