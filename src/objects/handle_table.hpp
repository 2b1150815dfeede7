// From the value of a handle to its object in O(1), for one kind of object. A predefined handle is its ABI value; any
// other is (generation << 32 | index), so a stale, foreign or uninitialized handle is recognized, not followed.
// Owned by the Process; guarded by the lane's lock.
//
// An object that is used again and again (objects/reusable.hpp) has a place here once and for all, which its handles
// share one after the other: no place has to be found for it, none given back.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "objects/refcount.hpp"
#include "objects/reusable.hpp"

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
    for (Entry& entry : entries_) {
      T* object = std::exchange(entry.object, nullptr);
      if (!object) continue;
      const bool has_handle = !is_kept(*object) || is_open(entry);
      forget_place(*object);
      if (has_handle) (void)Ref<T>::adopt(object);
    }
    entries_.clear();
    places_ = 0;
    predefined_.clear();
    predefined_end_ = 0;
    first_free_ = kNone;
  }

  // `value` is the ABI's; kinds have their predefined handles in a narrow range. A null object takes the handle away.
  void set_predefined(Value value, Ref<T> object) {
    if (predefined_end_ <= value) predefined_.resize(predefined_end_ = value + 1);
    if (object) remember(*object, value);
    predefined_[value] = std::move(object);
  }

  [[nodiscard]] Value insert(Ref<T> object) {
    if constexpr (kCanBeReused<T>) {
      if (object->kept_place() != Reusable::kNoPlace) [[likely]] {
        const std::uint32_t index = object.let_go()->kept_place();
        return value_of(index, ++entries_[index].generation);
      }
    }
    return insert_anew(std::move(object));
  }

  // Null for a value that is no live handle of this kind.
  [[nodiscard]] T* find(Value value) const {
    if (value < kPredefinedHandles) return value < predefined_end_ ? predefined_[value].get() : nullptr;
    const std::uint32_t index = static_cast<std::uint32_t>(value) - kFirstIndex;
    if (index >= places_) return nullptr;
    const Entry& entry = entries_[index];
    return entry.generation == value >> 32 ? entry.object : nullptr;
  }

  // Ends the handle; operations under way keep the object. `value` must be live and not predefined.
  [[nodiscard]] Ref<T> erase(Value value) {
    const auto index = static_cast<std::uint32_t>(value) - kFirstIndex;
    Entry& entry = entries_[index];
    ++entry.generation;
    if (is_kept(*entry.object)) return Ref<T>::adopt(entry.object);
    entry.next_free = first_free_;
    first_free_ = index;
    remember(*entry.object, 0);
    return Ref<T>::adopt(std::exchange(entry.object, nullptr));
  }

  // The handle whose low 32 bits are `number`, or one that is not live.
  [[nodiscard]] Value value_of_number(int number) const {
    const auto low = static_cast<std::uint32_t>(number);
    if (low < kFirstIndex || low - kFirstIndex >= places_) return low;
    return Value{entries_[low - kFirstIndex].generation} << 32 | low;
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr std::uint32_t kFirstIndex = kPredefinedHandles;  // the low half of the first place's handles

  struct Entry {
    T* object = nullptr;  // one reference is the table's, while there is a handle
    std::uint32_t generation = 1;
    std::uint32_t next_free = kNone;
  };

  static Value value_of(std::uint32_t index, std::uint32_t generation) {
    return Value{generation} << 32 | (kFirstIndex + index);
  }
  // Of a kept place: whether its object has a handle now. The first one makes the generation odd.
  static bool is_open(const Entry& entry) { return entry.generation % 2 == 1; }

  static void remember(T& object, Value value) {
    if constexpr (requires { object.set_handle(value); }) object.set_handle(value);
  }

  static bool is_kept(const T& object) {
    if constexpr (kCanBeReused<T>) return object.kept_place() != Reusable::kNoPlace;
    return false;
  }
  static void forget_place(T& object) {
    if constexpr (kCanBeReused<T>) object.set_kept_place(Reusable::kNoPlace);
  }

  [[gnu::noinline]] Value insert_anew(Ref<T> object) {
    if (first_free_ == kNone) [[unlikely]]
      grow();
    const std::uint32_t index = first_free_;
    Entry& entry = entries_[index];
    first_free_ = entry.next_free;
    if constexpr (kCanBeReused<T>) {
      if (object->is_reused()) {
        object->set_kept_place(index);
        entry.generation |= 1;
      }
    }
    const Value value = value_of(index, entry.generation);
    remember(*object, value);
    entry.object = object.let_go();
    return value;
  }

  void grow() {
    entries_.emplace_back();
    first_free_ = places_++;
  }

  // Their sizes are kept beside them, because every call looks.
  std::vector<Ref<T>> predefined_;
  Value predefined_end_ = 0;
  std::vector<Entry> entries_;
  std::uint32_t places_ = 0;
  std::uint32_t first_free_ = kNone;
};

}  // namespace antiphon::objects
