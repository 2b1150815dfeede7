// The fast path of accumulates: a few elements of a predefined type, stored as in C, aligned, in memory that this
// process has mapped, and all in one section that is free. While the object exists, nobody else accumulates there.
// All other cases are left to Accumulates.
#pragma once

#include "engine/rma/window_state.hpp"

namespace antiphon::rma {

class PlainElements {
 public:
  // `alignment` is a power of two; `bytes` is not 0. If the elements are not as described above, the object is empty.
  [[gnu::always_inline]] PlainElements(WindowState& state, int target, std::int64_t displacement,
                                       std::uint64_t alignment, std::size_t bytes) noexcept {
    const Control& control = state.of(target).control;
    const Resolved found = state.resolve(target, displacement, {0, static_cast<std::int64_t>(bytes)});
    if (!control || !found.here) return;
    const std::uint64_t last = found.address + bytes - 1;
    if ((found.address & (alignment - 1)) != 0 || !control.is_one_block(found.address, last)) return;
    Control::Section& section = control.section(found.address);
    if (!section.try_take()) return;
    section_ = &section;
    memory_ = found.here;
    state.use();
  }
  [[gnu::always_inline]] ~PlainElements() {
    if (section_) section_->let_go();
  }
  PlainElements(const PlainElements&) = delete;
  PlainElements& operator=(const PlainElements&) = delete;

  explicit operator bool() const { return section_ != nullptr; }
  [[nodiscard]] std::byte* memory() const { return memory_; }

 private:
  Control::Section* section_ = nullptr;
  std::byte* memory_ = nullptr;
};

}  // namespace antiphon::rma
