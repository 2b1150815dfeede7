// The words that each member of a window keeps for other processes: the lock of passive targets (window_lock.hpp),
// with a seat for each rank that sleeps until it gets the lock; the sections, short locks for accumulates; the
// attached memory of a dynamic window; and the epochs that each rank has posted to or completed with the member.
// They are in memory that the node shares. A process that has not mapped it sends packets to the member, which
// uses the same words. A view: the creator of the window owns the memory, which is zero at the beginning.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
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
    std::atomic<std::int32_t> holder;    // rank + 1 of whoever took it last, for reports
    std::atomic<std::int32_t> sleepers;  // seats in use
    std::atomic<std::int32_t> passed;    // ranks that came to share it while a rank in line wants it exclusively
  };
  // Decided when the member creates its words.
  struct Decided {
    std::uint8_t block_bits;  // the length of a section's blocks is 1 << block_bits; 0: the default
  };
  struct alignas(base::kCacheLine) Section {
    std::atomic<std::uint32_t> taken;

    [[nodiscard]] bool try_take() noexcept { return taken.exchange(1, std::memory_order_acquire) == 0; }
    void let_go() noexcept { taken.store(0, std::memory_order_release); }
  };
  // The number of an epoch between a rank and the member. Epochs of each direction are numbered from 1 on.
  using Count = std::atomic<std::uint32_t>;
  // What a rank writes for the member when an access epoch is over. Among few ranks it is a line, which may carry a
  // put of a few bytes (carried_put.hpp). Only that rank writes it, or the member for it.
  struct alignas(base::kCacheLine) Completion {
    static constexpr std::size_t kMostCarried = 40;

    Count epoch;
    std::uint32_t exposures_over;  // exposure epochs to the member that the rank has waited for
    std::uint64_t offset;          // where the put goes in the member's memory
    std::uint32_t bytes;           // its length; 0: there is no put
    std::byte data[kMostCarried];
  };
  using Seat = std::atomic<std::uint64_t>;  // WindowLock's; 0: no rank sleeps there

  Control() = default;  // without memory
  Control(std::byte* start, int ranks)
      : start_(start),
        said_(start + said_at(ranks)),
        ranks_(ranks),
        block_bits_(decided(start).block_bits ? decided(start).block_bits : kUsualBits) {}
  explicit operator bool() const { return start_ != nullptr; }

  // One more seat than ranks: the last is the member's, for the origins that it acts for.
  [[nodiscard]] static constexpr std::size_t bytes(int ranks) {
    return said_at(ranks) + static_cast<unsigned>(ranks) * (are_few(ranks) ? sizeof(Lines) : 2 * sizeof(Count));
  }
  // Called before anybody else sees the words. Elements in a block of about `granularity` bytes share a section; 0:
  // the default.
  static void decide(std::byte* start, std::uint64_t granularity) {
    if (granularity == 0) return;
    constexpr std::uint64_t kLeast = 8, kMost = std::uint64_t{1} << 40;
    const std::uint64_t bytes = std::clamp(granularity, kLeast, kMost);
    decided(start).block_bits = static_cast<std::uint8_t>(std::bit_width(bytes - 1));
  }
  [[nodiscard]] static std::byte* aligned(std::byte* start) {
    return start + (-reinterpret_cast<std::uintptr_t>(start) & (kAlignment - 1));
  }

  [[nodiscard]] int ranks() const { return ranks_; }
  [[nodiscard]] Lock& lock() const { return *reinterpret_cast<Lock*>(start_); }
  [[nodiscard]] Seat& seat(int rank) const { return reinterpret_cast<Seat*>(start_ + kSeatsAt)[rank]; }
  [[nodiscard]] AttachedList& attached() const { return *reinterpret_cast<AttachedList*>(start_ + kAttachedAt); }
  // The last epoch for which this rank has told the member that it has posted.
  [[nodiscard]] Count& posted(int rank) const { return are_few(ranks_) ? lines(rank).posted : counts()[rank]; }
  // Null if there are many ranks.
  [[nodiscard]] Completion* completion(int rank, std::uint32_t epoch) const {
    return are_few(ranks_) ? &lines(rank).completions[epoch % 2] : nullptr;
  }
  // Is at least `epoch` when this rank has completed that epoch.
  [[nodiscard]] Count& completed(int rank, std::uint32_t epoch) const {
    return are_few(ranks_) ? lines(rank).completions[epoch % 2].epoch : counts()[ranks_ + rank];
  }

  // The section of the element whose first byte is at this address of the member: consecutive blocks of memory use
  // the sections in turn.
  [[nodiscard]] Section& section(std::uint64_t address) const {
    return reinterpret_cast<Section*>(start_ + kSectionsAt)[(address >> block_bits_) % kSections];
  }
  [[nodiscard]] bool is_one_block(std::uint64_t first, std::uint64_t last) const {
    return (first ^ last) >> block_bits_ == 0;
  }
  // Bytes from `address` to the end of its block.
  [[nodiscard]] std::uint64_t room_at(std::uint64_t address) const {
    const std::uint64_t block = std::uint64_t{1} << block_bits_;
    return block - (address & (block - 1));
  }

 private:
  static constexpr std::size_t kSections = 8;
  static constexpr std::uint8_t kUsualBits = 14;  // 16 KiB
  static constexpr std::size_t kDecidedAt = sizeof(Lock), kSectionsAt = kDecidedAt + base::kCacheLine,
                               kAttachedAt = kSectionsAt + kSections * sizeof(Section);
  static constexpr std::size_t kSeatsAt = kAttachedAt + sizeof(AttachedList);
  static constexpr std::size_t said_at(int ranks) {
    return base::whole_line_pairs(kSeatsAt + (static_cast<std::size_t>(ranks) + 1) * sizeof(Seat));
  }
  // A rank's words among few ranks. They have cache lines of their own, so that a process that polls one of them is
  // not slowed down by writes to others. Among many ranks that would take too much memory, and each rank has two
  // counts. Epochs use the completions in turn, so the rank may end one before the member has waited for the one
  // before.
  struct Lines {
    alignas(base::kCacheLine) Count posted;
    Completion completions[2];
  };
  static constexpr bool are_few(int ranks) { return ranks <= 32; }
  [[nodiscard]] Lines& lines(int rank) const { return reinterpret_cast<Lines*>(said_)[rank]; }
  [[nodiscard]] Count* counts() const { return reinterpret_cast<Count*>(said_); }

  static Decided& decided(std::byte* start) { return *reinterpret_cast<Decided*>(start + kDecidedAt); }

  std::byte* start_ = nullptr;
  std::byte* said_ = nullptr;  // what ranks write for the member: posts and completions
  int ranks_ = 0;
  std::uint8_t block_bits_ = 0;
};

}  // namespace antiphon::rma
