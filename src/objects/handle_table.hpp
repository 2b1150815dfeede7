// From the value of a handle to its object in O(1), for one kind of object. A predefined handle is its ABI value; any
// other is (generation << 32 | index), so a stale, foreign or uninitialized handle is recognized, not followed.
// Owned by the Process; guarded by the lane's lock.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "objects/refcount.hpp"

namespace antiphon::objects {

inline constexpr std::uintptr_t kPredefinedHandles = 0x1000;  // values below are the ABI's

template <class T>
class HandleTable {
 public:
  using Value = std::uintptr_t;

  HandleTable() = default;
  HandleTable(const HandleTable&) = delete;
  HandleTable& operator=(const HandleTable&) = delete;
  ~HandleTable() { clear(); }

  // Ends every handle.
  void clear() {
    for (Entry& entry : entries_) (void)Ref<T>::adopt(std::exchange(entry.object, nullptr));
    entries_.clear();
    predefined_.clear();
    first_free_ = kNone;
    live_ = 0;
  }

  // `value` is the ABI's; kinds have their predefined handles in a narrow range. A null object takes the handle away.
  void set_predefined(Value value, Ref<T> object) {
    if (predefined_.size() <= value) predefined_.resize(value + 1);
    if (object) remember(*object, value);
    predefined_[value] = std::move(object);
  }

  [[nodiscard]] Value insert(Ref<T> object) {
    if (first_free_ == kNone) [[unlikely]]
      grow();
    const std::uint32_t index = first_free_;
    Entry& entry = entries_[index];
    first_free_ = entry.next_free;
    const Value value = Value{entry.generation} << 32 | (kPredefinedHandles + index);
    remember(*object, value);
    entry.object = object.let_go();
    ++live_;
    return value;
  }

  // Null for a value that is no live handle of this kind.
  [[nodiscard]] T* find(Value value) const {
    if (value < kPredefinedHandles) return value < predefined_.size() ? predefined_[value].get() : nullptr;
    const std::uintptr_t index = (value & 0xffffffffu) - kPredefinedHandles;
    if (index >= entries_.size()) return nullptr;
    const Entry& entry = entries_[index];
    return entry.generation == value >> 32 ? entry.object : nullptr;
  }

  // Ends the handle; operations under way keep the object. `value` must be live and not predefined.
  [[nodiscard]] Ref<T> erase(Value value) {
    const auto index = static_cast<std::uint32_t>((value & 0xffffffffu) - kPredefinedHandles);
    Entry& entry = entries_[index];
    ++entry.generation;
    entry.next_free = first_free_;
    first_free_ = index;
    --live_;
    remember(*entry.object, 0);
    return Ref<T>::adopt(std::exchange(entry.object, nullptr));
  }

  // The handle whose low 32 bits are `number`, or one that is not live.
  [[nodiscard]] Value value_of_number(int number) const {
    const auto low = static_cast<std::uint32_t>(number);
    if (low < kPredefinedHandles || low - kPredefinedHandles >= entries_.size()) return low;
    return Value{entries_[low - kPredefinedHandles].generation} << 32 | low;
  }

  [[nodiscard]] std::size_t live() const { return live_; }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  static void remember(T& object, Value value) {
    if constexpr (requires { object.set_handle(value); }) object.set_handle(value);
  }

  struct Entry {
    T* object = nullptr;  // one reference is the table's
    std::uint32_t generation = 1;
    std::uint32_t next_free = kNone;
  };

  [[gnu::noinline]] void grow() {
    first_free_ = static_cast<std::uint32_t>(entries_.size());
    entries_.emplace_back();
  }

  std::vector<Ref<T>> predefined_;
  std::vector<Entry> entries_;
  std::uint32_t first_free_ = kNone;
  std::size_t live_ = 0;
};

}  // namespace antiphon::objects
