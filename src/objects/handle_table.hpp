// From the value of a handle to its object in O(1), for one kind of object. A predefined handle is its ABI value; any
// other is (generation << 32 | index), so a stale, foreign or uninitialized handle is recognized, not followed.
// Owned by the Process; guarded by the lane's lock. Without it a thread may look up a handle that is live, for what
// it reads neither moves nor changes while the handle lives: an array that has become too small is kept.
//
// An object that is used again and again (objects/reusable.hpp) has a place here once and for all, which its handles
// share one after the other: no place has to be found for it, none given back. So a thread may begin and end such a
// handle without the lane, if entries never move (fix_capacity).
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "abi/constants.hpp"
#include "base/error.hpp"
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
    for (std::uint32_t i = 0; i < places_.load(std::memory_order_relaxed); ++i) {
      Entry& entry = at(i);
      T* object = std::exchange(entry.object, nullptr);
      if (!object) continue;
      const bool has_handle = !is_kept(*object) || is_open(entry);
      entry.value += kNextGeneration;
      forget_place(*object);
      if (has_handle) (void)Ref<T>::adopt(object);
    }
    places_.store(0, std::memory_order_relaxed);
    predefined_.clear();
    predefined_end_ = 0;
    free_.clear();
  }

  // `value` is the ABI's; kinds have their predefined handles in a narrow range. A null object takes the handle away.
  void set_predefined(Value value, Ref<T> object) {
    if (predefined_end_ <= value) predefined_.resize(predefined_end_ = value + 1);
    if (object) remember(*object, value);
    predefined_[value] = std::move(object);
  }

  // Whether insert() cannot fail; and so that it cannot.
  [[nodiscard]] bool has_room_for(const T& object) const { return is_kept(object) || !free_.empty(); }
  void make_room() {
    if (free_.empty()) grow();
  }
  [[nodiscard]] Value insert(Ref<T> object) {
    if constexpr (kCanBeReused<T>) {
      if (object->kept_place() != Reusable::kNoPlace) [[likely]] {
        return open(*object.let_go());
      }
    }
    return insert_anew(std::move(object));
  }
  // A place for an object that is used again, before it has a handle.
  void reserve(T& object) {
    const std::uint32_t index = take_place();
    Entry& entry = at(index);
    if (is_open(entry)) entry.value += kNextGeneration;
    entry.object = &object;
    object.set_kept_place(index);
  }
  // A handle for one that has its place, with the reference that the caller has. Any thread may have it done.
  [[nodiscard]] Value open(const T& object) { return at(object.kept_place()).value += kNextGeneration; }

  // Null for a value that is no live handle of this kind.
  [[nodiscard, gnu::always_inline]] T* find(Value value) const {
    if (value < kPredefinedHandles) return value < predefined_end_ ? predefined_[value].get() : nullptr;
    const std::uint32_t index = static_cast<std::uint32_t>(value) - kFirstIndex;
    if (index >= places_.load(std::memory_order_acquire)) return nullptr;
    const Entry& entry = at(index);
    return entry.value == value ? entry.object : nullptr;
  }

  // Null if the handle has ended. Only for a value that was a handle of this kind once, and is not predefined.
  [[nodiscard]] T* find_again(Value value) const {
    const Entry& entry = at(static_cast<std::uint32_t>(value) - kFirstIndex);
    return entry.value == value ? entry.object : nullptr;
  }

  // Ends the handle; operations under way keep the object. `value` must be live and not predefined.
  [[nodiscard]] Ref<T> erase(Value value) {
    const auto index = static_cast<std::uint32_t>(value) - kFirstIndex;
    Entry& entry = at(index);
    entry.value += kNextGeneration;
    if (is_kept(*entry.object)) [[likely]]
      return Ref<T>::adopt(entry.object);
    free_.push_back(index);  // there is room
    remember(*entry.object, 0);
    return Ref<T>::adopt(std::exchange(entry.object, nullptr));
  }

  // The handle whose low 32 bits are `number`, or one that is not live.
  [[nodiscard]] Value value_of_number(int number) const {
    const auto low = static_cast<std::uint32_t>(number);
    if (low < kFirstIndex || low - kFirstIndex >= places_.load(std::memory_order_acquire)) return low;
    return at(low - kFirstIndex).value;
  }

  // For an empty table: entries never move, so it cannot hold more than `most`. Those never used take no memory.
  void fix_capacity(std::uint32_t most) {
    hold(most);
    is_fixed_ = true;
  }

 private:
  static constexpr std::uint32_t kFewest = 8;
  static constexpr std::uint32_t kFirstIndex = kPredefinedHandles;  // the low half of the first place's handles
  static constexpr Value kNextGeneration = Value{1} << 32;

  // Without initializers, so that an array of them is not touched before it is used.
  struct Entry {
    T* object;    // one reference is the table's, while there is a handle
    Value value;  // of the handle; without one, that of the next
  };

  // Of a kept place: whether its object has a handle now. The first one makes the generation odd.
  static bool is_open(const Entry& entry) { return (entry.value & kNextGeneration) != 0; }

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

  [[nodiscard]] std::uint32_t take_place() {
    if (free_.empty()) [[unlikely]]
      grow();
    const std::uint32_t index = free_.back();
    free_.pop_back();
    return index;
  }
  [[gnu::noinline]] Value insert_anew(Ref<T> object) {
    const std::uint32_t index = take_place();
    Entry& entry = at(index);
    if constexpr (kCanBeReused<T>) {
      if (object->is_reused()) {
        object->set_kept_place(index);
        entry.value |= kNextGeneration;
      }
    }
    remember(*object, entry.value);
    entry.object = object.let_go();
    return entry.value;
  }

  [[nodiscard]] Entry& at(std::uint32_t index) const { return entries_.load(std::memory_order_acquire)[index]; }

  void grow() {
    const std::uint32_t places = places_.load(std::memory_order_relaxed);
    if (places == capacity_) enlarge();
    at(places) = {nullptr, kNextGeneration | (kFirstIndex + places)};
    free_.push_back(places);
    places_.store(places + 1, std::memory_order_release);
  }
  void enlarge() {
    if (is_fixed_)
      base::fail(abi::ERR_OTHER, fmt::format("there are {} handles of this kind already, the most there can be in a "
                                             "process whose threads use MPI at once",
                                             capacity_));
    hold(capacity_ == 0 ? kFewest : 2 * capacity_);
  }
  void hold(std::uint32_t most) {
    free_.reserve(most);
    auto& array = arrays_.emplace_back(std::make_unique_for_overwrite<Entry[]>(most));
    std::copy_n(entries_.load(std::memory_order_relaxed), capacity_, array.get());
    entries_.store(array.get(), std::memory_order_release);
    capacity_ = most;
  }

  // Their sizes are kept beside them, because every call looks.
  std::vector<Ref<T>> predefined_;
  Value predefined_end_ = 0;
  std::atomic<Entry*> entries_ = nullptr;  // the last of the arrays
  std::atomic<std::uint32_t> places_ = 0;
  std::uint32_t capacity_ = 0;
  std::vector<std::uint32_t> free_;  // places
  std::vector<std::unique_ptr<Entry[]>> arrays_;
  bool is_fixed_ = false;
};

}  // namespace antiphon::objects
