// The first pieces of memory that a member of a dynamic window has attached, as many as fit, in its Control.
// Processes that have mapped that memory can let the system copy there without asking the member. If bytes are in
// the list, they are attached; if not, the process has to ask the member. The member alone writes. While it does,
// readers find nothing; they do not retry. All zero at the beginning.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>

namespace antiphon::rma {

class AttachedList {
 public:
  // Publishes the list. `attached` maps the address of each piece to its length.
  void tell(const std::map<std::uint64_t, std::uint64_t>& attached) noexcept {
    const std::uint32_t version = version_.load(std::memory_order_relaxed);
    version_.store(version + 1, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
    std::uint32_t count = 0;
    for (const auto& [address, bytes] : attached) {
      if (count == kMost) break;
      pieces_[count].begin.store(address, std::memory_order_relaxed);
      pieces_[count].end.store(address + bytes, std::memory_order_relaxed);
      ++count;
    }
    count_.store(count, std::memory_order_relaxed);
    version_.store(version + 2, std::memory_order_release);
  }

  // Whether all of these bytes lie in pieces of the list.
  [[nodiscard]] bool covers(std::uint64_t address, std::uint64_t bytes) const noexcept {
    const std::uint32_t version = version_.load(std::memory_order_acquire);
    const std::uint64_t end = address + bytes;
    const std::uint32_t count = std::min(count_.load(std::memory_order_relaxed), kMost);
    for (std::uint32_t i = 0; i < count && address < end; ++i)
      if (pieces_[i].begin.load(std::memory_order_relaxed) <= address)
        address = std::max(address, pieces_[i].end.load(std::memory_order_relaxed));
    std::atomic_thread_fence(std::memory_order_acquire);
    return address >= end && version % 2 == 0 && version_.load(std::memory_order_relaxed) == version;
  }

 private:
  static constexpr std::uint32_t kMost = 15;
  struct Piece {
    std::atomic<std::uint64_t> begin, end;
  };

  std::atomic<std::uint32_t> version_;  // odd while it changes
  std::atomic<std::uint32_t> count_;
  Piece pieces_[kMost];
};

}  // namespace antiphon::rma
