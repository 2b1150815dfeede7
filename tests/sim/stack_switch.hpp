// Tells the sanitizers which stack a fiber runs on: without it an exception thrown in a fiber looks like damage to
// AddressSanitizer, and ThreadSanitizer remembers the calls of all fibers as if one thread made them, until memory is
// used up. Nothing at all in other builds. Each switch is a leave() on the old stack followed by an enter() on the
// new one.
#pragma once

#include <cstddef>
#include <memory>

#if defined(__SANITIZE_ADDRESS__)
#define ANTIPHON_FIBERS_UNDER_ASAN 1
#elif defined(__SANITIZE_THREAD__)
#define ANTIPHON_FIBERS_UNDER_TSAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ANTIPHON_FIBERS_UNDER_ASAN 1
#elif __has_feature(thread_sanitizer)
#define ANTIPHON_FIBERS_UNDER_TSAN 1
#endif
#endif

#if defined(ANTIPHON_FIBERS_UNDER_ASAN)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#include <sanitizer/lsan_interface.h>
#elif defined(ANTIPHON_FIBERS_UNDER_TSAN)
#include <sanitizer/tsan_interface.h>
#endif

namespace antiphon::sim {

struct Stack {
  const void* bottom = nullptr;
  std::size_t bytes = 0;
  std::shared_ptr<void> thread = {};  // what ThreadSanitizer takes a fiber for

  [[nodiscard]] static Stack of_new_fiber(const void* bottom, std::size_t bytes) {
#ifdef ANTIPHON_FIBERS_UNDER_TSAN
    return {bottom, bytes, {__tsan_create_fiber(0), __tsan_destroy_fiber}};
#else
#ifdef ANTIPHON_FIBERS_UNDER_ASAN
    // An earlier fiber on this memory may never have returned from its last functions.
    ASAN_UNPOISON_MEMORY_REGION(bottom, bytes);
#endif
    return {bottom, bytes};
#endif
  }
  // Nobody runs on it any more, and it stays: what it names is no leak.
  void abandon() const {
#ifdef ANTIPHON_FIBERS_UNDER_ASAN
    __lsan_register_root_region(bottom, bytes);
#endif
  }
  [[nodiscard]] static Stack of_this_thread() {
#ifdef ANTIPHON_FIBERS_UNDER_TSAN
    return {nullptr, 0, {__tsan_get_current_fiber(), [](void*) {}}};
#else
    return {};
#endif
  }
};

class StackSwitch {
 public:
#if defined(ANTIPHON_FIBERS_UNDER_ASAN)
  void leave(const Stack& to) { __sanitizer_start_switch_fiber(&saved_, to.bottom, to.bytes); }
  // For good: this stack is not entered again.
  static void leave_for_good(const Stack& to) { __sanitizer_start_switch_fiber(nullptr, to.bottom, to.bytes); }
  // Fills in the bounds of the stack that was left.
  void enter(Stack* from) { __sanitizer_finish_switch_fiber(saved_, &from->bottom, &from->bytes); }

 private:
  void* saved_ = nullptr;
#elif defined(ANTIPHON_FIBERS_UNDER_TSAN)
  void leave(const Stack& to) { __tsan_switch_to_fiber(to.thread.get(), 0); }
  static void leave_for_good(const Stack& to) { __tsan_switch_to_fiber(to.thread.get(), 0); }
  void enter(Stack*) {}
#else
  void leave(const Stack&) {}
  static void leave_for_good(const Stack&) {}
  void enter(Stack*) {}
#endif
};

}  // namespace antiphon::sim
