// From the value of a handle to its object in O(1), for one kind of object. A predefined handle is its ABI value; any
// other is (generation << 32 | index), so a stale, foreign or uninitialized handle is recognized, not followed.
// Owned by the Process; guarded by the lane's lock.
#pragma once

#include <cstdint>
#include <vector>

#include "objects/refcount.hpp"

namespace antiphon::objects {

inline constexpr std::uintptr_t kPredefinedHandles = 0x1000;  // values below are the ABI's

template <class T>
class HandleTable {
 public:
  using Value = std::uintptr_t;

  // `value` is the ABI's; kinds have their predefined handles in a narrow range. A null object takes the handle away.
  void set_predefined(Value value, Ref<T> object) {
    if (predefined_.size() <= value) predefined_.resize(value + 1);
    if (object) remember(*object, value);
    predefined_[value] = std::move(object);
  }

  [[nodiscard]] Value insert(Ref<T> object) {
    if (free_.empty()) {
      free_.push_back(static_cast<std::uint32_t>(entries_.size()));
      entries_.emplace_back();
    }
    const std::uint32_t index = free_.back();
    free_.pop_back();
    Entry& entry = entries_[index];
    const Value value = Value{entry.generation} << 32 | (kPredefinedHandles + index);
    remember(*object, value);
    entry.object = std::move(object);
    return value;
  }

  // Null for a value that is no live handle of this kind.
  [[nodiscard]] T* find(Value value) const {
    if (value < kPredefinedHandles) return value < predefined_.size() ? predefined_[value].get() : nullptr;
    const std::uintptr_t index = (value & 0xffffffffu) - kPredefinedHandles;
    if (index >= entries_.size()) return nullptr;
    const Entry& entry = entries_[index];
    return entry.generation == value >> 32 ? entry.object.get() : nullptr;
  }

  // Ends the handle; operations under way keep the object. `value` must be live and not predefined.
  [[nodiscard]] Ref<T> erase(Value value) {
    const auto index = static_cast<std::uint32_t>((value & 0xffffffffu) - kPredefinedHandles);
    Entry& entry = entries_[index];
    ++entry.generation;
    free_.push_back(index);
    remember(*entry.object, 0);
    return std::move(entry.object);
  }

  // The handle whose low 32 bits are `number`, or one that is not live.
  [[nodiscard]] Value value_of_number(int number) const {
    const auto low = static_cast<std::uint32_t>(number);
    if (low < kPredefinedHandles || low - kPredefinedHandles >= entries_.size()) return low;
    return Value{entries_[low - kPredefinedHandles].generation} << 32 | low;
  }

  [[nodiscard]] std::size_t live() const { return entries_.size() - free_.size(); }

 private:
  static void remember(T& object, Value value) {
    if constexpr (requires { object.set_handle(value); }) object.set_handle(value);
  }

  struct Entry {
    Ref<T> object;
    std::uint32_t generation = 1;
  };
  std::vector<Ref<T>> predefined_;
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> free_;
};

}  // namespace antiphon::objects
