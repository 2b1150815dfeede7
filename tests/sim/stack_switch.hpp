// Tells AddressSanitizer which stack a fiber runs on: without it an exception thrown in a fiber looks like damage.
// Nothing at all in other builds. Each switch is a leave() on the old stack followed by an enter() on the new one.
#pragma once

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#define ANTIPHON_FIBERS_UNDER_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ANTIPHON_FIBERS_UNDER_ASAN 1
#endif
#endif

#ifdef ANTIPHON_FIBERS_UNDER_ASAN
#include <sanitizer/common_interface_defs.h>
#endif

namespace antiphon::sim {

struct StackBounds {
  const void* bottom = nullptr;
  std::size_t bytes = 0;
};

class StackSwitch {
 public:
#ifdef ANTIPHON_FIBERS_UNDER_ASAN
  void leave(const StackBounds& to) { __sanitizer_start_switch_fiber(&saved_, to.bottom, to.bytes); }
  // For good: this stack is not entered again.
  static void leave_for_good(const StackBounds& to) { __sanitizer_start_switch_fiber(nullptr, to.bottom, to.bytes); }
  // Fills in the bounds of the stack that was left.
  void enter(StackBounds* from) { __sanitizer_finish_switch_fiber(saved_, &from->bottom, &from->bytes); }

 private:
  void* saved_ = nullptr;
#else
  void leave(const StackBounds&) {}
  static void leave_for_good(const StackBounds&) {}
  void enter(StackBounds*) {}
#endif
};

}  // namespace antiphon::sim
