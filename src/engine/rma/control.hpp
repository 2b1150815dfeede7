// The words that each member of a window keeps for those who reach it: the lock of passive targets (window_lock.hpp),
// The words that each member of a window keeps for those who reach it: the lock of passive targets (window_lock.hpp),
// with a seat for each rank that sleeps until it may enter; the sections, short locks under which elements are
// accumulated; what it has attached, if the window is dynamic; and what each rank has said to the member by post and
// complete. They lie where other processes of the node find them; whoever does not, asks the member by packets, and
// it acts on the same words. A view: who made the window owns the memory, which is zero at the beginning.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/cache_line.hpp"
#include "engine/rma/attached_list.hpp"

namespace antiphon::rma {

class Control {
 public:
  static constexpr std::size_t kAlignment = base::kCacheLinePair;

  struct alignas(base::kCacheLinePair) Lock {
    std::atomic<std::uint64_t> word;     // WindowLock's
    std::atomic<std::int32_t> holder;    // whoever took it last, for reports: rank and one
    std::atomic<std::int32_t> sleepers;  // seats that are taken
    std::atomic<std::int32_t> passed;    // sharers, by one who waits for it alone
  };
  struct alignas(base::kCacheLine) Section {
    std::atomic<std::uint32_t> taken;

    [[nodiscard]] bool try_take() noexcept { return taken.exchange(1, std::memory_order_acquire) == 0; }
    void let_go() noexcept { taken.store(0, std::memory_order_release); }
  };
  // How often a rank has posted for the member, and completed to it. Only that rank changes them, or the member for
  // it.
  struct Said {
    std::atomic<std::uint32_t> posted;
    std::atomic<std::uint32_t> completed;
  };
  using Seat = std::atomic<std::uint64_t>;  // WindowLock's; 0: nobody sleeps there

  Control() = default;  // none
  Control(std::byte* start, int ranks) : start_(start), ranks_(ranks) {}
  explicit operator bool() const { return start_ != nullptr; }

  // A seat more than there are ranks: the member's, for those whom it acts for.
  [[nodiscard]] static constexpr std::size_t bytes(int ranks) {
    return said_at(ranks) + static_cast<std::size_t>(ranks) * sizeof(Said);
  }
  [[nodiscard]] static std::byte* aligned(std::byte* start) {
    return start + (-reinterpret_cast<std::uintptr_t>(start) & (kAlignment - 1));
  }

  [[nodiscard]] int ranks() const { return ranks_; }
  [[nodiscard]] Lock& lock() const { return *reinterpret_cast<Lock*>(start_); }
  [[nodiscard]] Seat& seat(int rank) const { return reinterpret_cast<Seat*>(start_ + kSeatsAt)[rank]; }
  [[nodiscard]] AttachedList& attached() const { return *reinterpret_cast<AttachedList*>(start_ + kAttachedAt); }
  [[nodiscard]] Said& said(int rank) const { return reinterpret_cast<Said*>(start_ + said_at(ranks_))[rank]; }

  // An element is accumulated under the section that its first byte, at this address of the member's, belongs to:
  // one of so many in turn, each for a block of memory.
  static constexpr std::uint64_t kBlock = std::uint64_t{16} << 10;
  [[nodiscard]] Section& section(std::uint64_t address) const {
    return reinterpret_cast<Section*>(start_ + sizeof(Lock))[address / kBlock % kSections];
  }

 private:
  static constexpr std::size_t kSections = 8;
  static constexpr std::size_t kAttachedAt = sizeof(Lock) + kSections * sizeof(Section);
  static constexpr std::size_t kSeatsAt = kAttachedAt + sizeof(AttachedList);
  // In lines of their own: whoever looks there again and again is not to wait for those who take seats.
  static constexpr std::size_t said_at(int ranks) {
    const std::size_t seats_end = kSeatsAt + (static_cast<std::size_t>(ranks) + 1) * sizeof(Seat);
    return (seats_end + base::kCacheLine - 1) / base::kCacheLine * base::kCacheLine;
  }

  std::byte* start_ = nullptr;
  int ranks_ = 0;
};

}  // namespace antiphon::rma
