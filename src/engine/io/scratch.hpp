// Memory that one operation after the other uses, so that its pages need not be touched anew each time. What is in it
// does not outlast the next of(). Owned by the state of a file.
#pragma once

#include <cstddef>
#include <memory>

namespace antiphon::io {

class Scratch {
 public:
  [[nodiscard]] std::byte* of(std::size_t bytes) {
    if (bytes > bytes_) {
      memory_.reset();
      memory_ = std::make_unique_for_overwrite<std::byte[]>(bytes);
      bytes_ = bytes;
    }
    return memory_.get();
  }

 private:
  std::unique_ptr<std::byte[]> memory_;
  std::size_t bytes_ = 0;
};

// For collective access in two phases.
struct TwoPhaseBuffers {
  Scratch window;    // of an aggregator: the bytes of the file
  Scratch incoming;  // what others have there, packed
  Scratch own;       // what this rank has in all windows, packed, if its memory is scattered
};

}  // namespace antiphon::io
