// A descriptor that is closed when its owner goes, which leaves errno as it is; -1: none.
#pragma once

#include <unistd.h>

#include <cerrno>
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
    const int error = errno;  // often still to be told
    if (descriptor_ >= 0) close(release());
    errno = error;
  }

  int descriptor_ = -1;
};

}  // namespace antiphon::platform
