// Shared ownership for objects behind handles: the user's handle holds one reference, every operation under way
// another, so freeing a handle never pulls an object from under a pending message. Guarded by the lane's lock.
#pragma once

#include <atomic>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace antiphon::objects {

class Refcounted {
 public:
  void retain() noexcept { ++references_; }
  // True when this was the last reference; the caller then destroys the object.
  [[nodiscard]] bool release() noexcept { return --references_ == 0; }

 protected:
  Refcounted() = default;
  ~Refcounted() = default;
  [[nodiscard]] long references() const noexcept { return references_; }
  // For an object without references that is used again.
  void start_with(long references) noexcept { references_ = references; }
  // For those whom threads hold that do not hold the lane.
  void retain_atomically() noexcept { counter().fetch_add(1, std::memory_order_relaxed); }
  [[nodiscard]] bool release_atomically() noexcept { return counter().fetch_sub(1, std::memory_order_acq_rel) == 1; }

 private:
  [[nodiscard]] std::atomic_ref<long> counter() noexcept { return std::atomic_ref(references_); }

  long references_ = 1;
};

// Shared ownership where threads hold references that hold no common lock.
class SharedByThreads {
 public:
  void retain() noexcept { references_.fetch_add(1, std::memory_order_relaxed); }
  [[nodiscard]] bool release() noexcept { return references_.fetch_sub(1, std::memory_order_acq_rel) == 1; }

 protected:
  SharedByThreads() = default;
  ~SharedByThreads() = default;

 private:
  std::atomic<long> references_ = 1;
};

// An object that can tell the value of its handle, which the user's callbacks are given. 0 once the handle is freed.
class WithHandle : public Refcounted {
 public:
  [[nodiscard]] std::uintptr_t handle() const { return handle_; }
  void set_handle(std::uintptr_t value) { handle_ = value; }

 protected:
  WithHandle() = default;
  ~WithHandle() = default;

 private:
  std::uintptr_t handle_ = 0;
};

// Owns one reference; with the last the object is deleted, or retired if its class says how.
template <class T>
class Ref {
 public:
  Ref() = default;
  // Takes over the reference that a new object is born with.
  static Ref adopt(T* object) {
    Ref ref;
    ref.object_ = object;
    return ref;
  }
  static Ref share(T& object) {
    object.retain();
    return adopt(&object);
  }
  Ref(const Ref& other) : object_(other.object_) {
    if (object_) object_->retain();
  }
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  // From a derived class's.
  template <class Derived>
  requires(!std::is_same_v<Derived, T> && std::is_convertible_v<Derived*, T*>) Ref(Ref<Derived> other)
  noexcept : object_(other.let_go()) {}
  Ref& operator=(Ref other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Ref() { reset(); }
  // For one that is empty.
  void fill(T& object) noexcept {
    object.retain();
    object_ = &object;
  }
  void reset() {
    T* object = std::exchange(object_, nullptr);
    if (!object || !object->release()) return;
    if constexpr (requires { object->retire(); })
      object->retire();
    else
      delete object;
  }

  // The reference now belongs to the caller.
  [[nodiscard]] T* let_go() { return std::exchange(object_, nullptr); }

  T* get() const { return object_; }
  T& operator*() const { return *object_; }
  T* operator->() const { return object_; }
  explicit operator bool() const { return object_ != nullptr; }

 private:
  T* object_ = nullptr;
};

}  // namespace antiphon::objects
