// An array that grows while other threads read it. It maps a small number to a small value, such as a process to its
// node or to the address of its link. One thread at a time sets values, under its owner's lock; any thread reads at
// any time, without a lock. A reader that learned of an index after its value was set sees that value; an index that
// was never set has the empty value. Values move when the array grows, so the table stores the addresses of objects
// that must not move. Smaller arrays are kept until the table is destroyed, because threads may still read them.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <memory>
#include <vector>

namespace antiphon::base {

template <class T>
class GrowingTable {
  static_assert(std::atomic<T>::is_always_lock_free);
  static_assert(alignof(T) == sizeof(T), "clang 14 calls a library for what is not aligned to its size");

 public:
  // Has room for `expected` values at once.
  explicit GrowingTable(std::size_t expected = kFewest) { make_room(expected); }
  GrowingTable(const GrowingTable&) = delete;
  GrowingTable& operator=(const GrowingTable&) = delete;

  // One more than the greatest index set so far.
  [[nodiscard]] std::size_t size() const noexcept { return size_.load(std::memory_order_acquire); }
  // `index` must be below size().
  [[nodiscard]] T operator[](std::size_t index) const noexcept {
    return values_.load(std::memory_order_acquire)[index].load(std::memory_order_acquire);
  }
  // Any index is valid.
  [[nodiscard]] T find(std::size_t index) const noexcept { return index < size() ? (*this)[index] : T{}; }

  void set(std::size_t index, T value) {
    if (index >= room_) make_room(std::bit_ceil(index + 1));
    values_.load(std::memory_order_relaxed)[index].store(value, std::memory_order_release);
    size_.store(std::max(index + 1, size_.load(std::memory_order_relaxed)), std::memory_order_release);
  }

 private:
  static constexpr std::size_t kFewest = 8;
  using Value = std::atomic<T>;

  void make_room(std::size_t room) {
    Value* const larger = arrays_.emplace_back(std::make_unique<Value[]>(room)).get();
    const Value* const values = values_.load(std::memory_order_relaxed);
    for (std::size_t i = 0; i < room_; ++i)
      larger[i].store(values[i].load(std::memory_order_relaxed), std::memory_order_relaxed);
    values_.store(larger, std::memory_order_release);
    room_ = room;
  }

  std::atomic<Value*> values_ = nullptr;  // the last of the arrays
  std::atomic<std::size_t> size_ = 0;
  std::size_t room_ = 0;
  std::vector<std::unique_ptr<Value[]>> arrays_;
};

}  // namespace antiphon::base
