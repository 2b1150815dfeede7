// The operations of one kind that packets of other processes may name: each waits for a certain process. A cookie is
// what stands in packets for an operation: its place in the table, how often that place has been used, and the kind.
// So a cookie that is made up, is of another kind or process, or names an operation that has ended is found out.
// Belongs to the engine that carries these operations out; the lane protects it. Adding and ending take constant
// time, and allocate only when more operations are pending than ever before. T stays where it is until end().
#pragma once

#include <cassert>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>

namespace antiphon::links {

using Cookie = std::uint64_t;  // 0 names nothing

enum class PendingKind : std::uint8_t { send = 1, receive, shared_copy, get, fetch, long_put };

template <class T, PendingKind kKind>
class Pending {
 public:
  // An operation of which packets from `process` may say something.
  template <class... Args>
  [[nodiscard]] Cookie add(int process, Args&&... args) {
    if (free_ == kNone) {
      slots_.emplace_back();
      free_ = static_cast<std::uint32_t>(slots_.size() - 1);
    }
    const std::uint32_t index = free_;
    Slot& slot = slots_[index];
    slot.operation.emplace(std::forward<Args>(args)...);
    free_ = slot.next_free;
    slot.process = process;
    slot.use = (slot.use + 1) & kMostUses;
    return std::uint64_t{static_cast<std::uint8_t>(kKind)} << (kUseBits + kIndexBits) |
           std::uint64_t{slot.use} << kIndexBits | index;
  }
  // What a cookie in a packet from `process` names; null if it names nothing that this process has to do with.
  [[nodiscard]] T* find(Cookie cookie, int process) {
    const std::uint64_t index = cookie & kMostIndex;
    if (index >= slots_.size()) return nullptr;
    Slot& slot = slots_[index];
    const bool is_it = slot.operation && slot.process == process && slot.use == (cookie >> kIndexBits & kMostUses) &&
                       cookie >> (kUseBits + kIndexBits) == static_cast<std::uint8_t>(kKind);
    return is_it ? &*slot.operation : nullptr;
  }
  // The operation that add() has returned this cookie for, until end().
  [[nodiscard]] T& operator[](Cookie cookie) { return *slots_[cookie & kMostIndex].operation; }
  void end(Cookie cookie) {
    const auto index = static_cast<std::uint32_t>(cookie & kMostIndex);
    Slot& slot = slots_[index];
    assert(slot.operation);
    slot.operation.reset();
    slot.next_free = free_;
    free_ = index;
  }

 private:
  static constexpr unsigned kIndexBits = 28, kUseBits = 28;
  static constexpr std::uint32_t kMostIndex = (1u << kIndexBits) - 1, kMostUses = (1u << kUseBits) - 1;
  static constexpr std::uint32_t kNone = UINT32_MAX;

  struct Slot {
    std::optional<T> operation;
    std::int32_t process = 0;
    std::uint32_t use = 0;
    std::uint32_t next_free = kNone;  // if it is free
  };

  std::deque<Slot> slots_;
  std::uint32_t free_ = kNone;
};

}  // namespace antiphon::links
