// The lock of a member of a window, as MPI_Win_lock takes it: exclusive, or shared by several ranks. All of it is
// one word in the member's Control, which processes that have mapped it change by compare-and-swap.
//
// A rank that comes while the lock is free takes it, even if others have waited longer: where ranks share cores,
// handing the lock from one to the next would cost a turn on the core each time. A rank that has waited too long
// joins a line, and nobody takes a free lock before the line. Ranks that want to share the lock are first in the
// line; the others follow one after another.
//
// While the lock is shared, others may share it, too, even if a rank in line wants it exclusively, because ranks
// that share a lock may wait for each other. But after two sharers for each rank a gate closes until the rank in
// line has had the lock; otherwise sharers that follow each other could keep it out for ever. A rank that holds
// another lock passes a closed gate: two ranks that share the locks of two targets, in different orders, would
// otherwise wait for each other as soon as somebody waits for each lock exclusively.
//
// A rank that goes to sleep first writes into its seat what it waits for, and then looks at the word again; a rank
// that changes the word looks at the seats afterwards. So one of the two sees the other. The rank that wakes
// another clears its seat; a rank that was woken in vain writes it again.
#pragma once

#include "engine/rma/control.hpp"

namespace antiphon::rma {

class WindowLock {
 public:
  enum class Mode : std::uint8_t { shared, exclusive };

  // What a rank that wants the lock asks for.
  struct Claim {
    Mode mode;
    bool holds_others = false;  // this rank has locks, of any window
    bool in_line = false;
    std::uint16_t number = 0;  // in the line, of a rank that wants the lock exclusively
  };

  // The Control must outlive this object.
  explicit WindowLock(const Control& control) : control_(control) {}
  explicit WindowLock(Control&&) = delete;

  [[nodiscard, gnu::always_inline]] bool try_enter(const Claim& claim, int rank) const noexcept {
    std::uint64_t word = lock().word.load(std::memory_order_relaxed);
    while (may_enter(word, claim))
      if (lock().word.compare_exchange_weak(word, entered(word, claim), std::memory_order_seq_cst,
                                            std::memory_order_relaxed)) {
        lock().holder.store(rank + 1, std::memory_order_relaxed);
        // A rank that is not in line gets the lock exclusively only if there is no line, so it has passed nobody.
        const bool may_have_passed = claim.in_line || claim.mode == Mode::shared;
        if (may_have_passed && !nobody_is_numbered(word)) [[unlikely]]
          note_passing(claim.mode);
        return true;
      }
    return false;
  }
  void get_in_line(Claim* claim) const noexcept {
    claim->in_line = true;
    if (claim->mode == Mode::shared) {
      lock().word.fetch_add(kWaitsToShare, std::memory_order_seq_cst);
      return;
    }
    std::uint64_t word = lock().word.load(std::memory_order_relaxed);
    while (!lock().word.compare_exchange_weak(word, with_one_more_in_line(word), std::memory_order_seq_cst,
                                              std::memory_order_relaxed)) {
    }
    claim->number = next(word);
  }
  void leave(Mode mode) const noexcept {
    lock().word.fetch_sub(mode == Mode::shared ? kOne : kExclusive, std::memory_order_seq_cst);
  }

  // Wakes, by ring(seat), the sleepers that may take the lock now: all that want to share it, and one that wants it
  // exclusively; the next one is woken when that one leaves. Call it after leave(), and after entering from the line.
  template <class Ring>
  void wake(Ring&& ring) const noexcept {
    if (has_sleepers()) [[unlikely]]
      wake_sleepers(ring);
  }
  [[nodiscard]] bool has_sleepers() const noexcept { return lock().sleepers.load(std::memory_order_seq_cst) != 0; }
  // False if somebody has this seat already.
  bool sit_down(int seat, const Claim& claim) const noexcept {
    if (control_.seat(seat).load(std::memory_order_relaxed) != 0) return false;
    control_.seat(seat).store(kTaken | (claim.mode == Mode::exclusive ? kWantsAll : 0) |
                                  (claim.in_line ? kInLine : 0) | (claim.holds_others ? kHoldsOthers : 0) |
                                  std::uint64_t{claim.number} << kNumber,
                              std::memory_order_relaxed);
    lock().sleepers.fetch_add(1, std::memory_order_seq_cst);
    return true;
  }
  void stand_up(int seat) const noexcept {
    if (control_.seat(seat).exchange(0, std::memory_order_relaxed) != 0)
      lock().sleepers.fetch_sub(1, std::memory_order_relaxed);
  }

  // The rank that took the lock last, or -1.
  [[nodiscard]] int holder() const noexcept { return lock().holder.load(std::memory_order_relaxed) - 1; }
  // Whether the gate is closed: a rank that holds no other lock may not share the lock now.
  [[nodiscard]] bool is_closed() const noexcept {
    return (lock().word.load(std::memory_order_relaxed) & kClosed) != 0;
  }

 private:
  // The word: the number of sharers, or that one rank has it exclusively; whether the gate is closed; how many in
  // line want to share it; which number the next of the others in line gets, and which number may enter. The last may
  // overflow, because nothing is above it.
  static constexpr std::uint64_t kOne = 1, kShares = (std::uint64_t{1} << 19) - 1, kExclusive = kShares + 1,
                                 kHolders = kShares | kExclusive, kClosed = kExclusive << 1,
                                 kWaitsToShare = kClosed << 1, kWaitToShare = kWaitsToShare * 0x7fff;
  static constexpr int kNext = 36, kServed = 50;
  static constexpr std::uint64_t kNumbers = 0x3fff;
  static_assert(kHolders + kClosed + kWaitToShare < std::uint64_t{1} << kNext);
  static std::uint16_t next(std::uint64_t word) { return static_cast<std::uint16_t>(word >> kNext & kNumbers); }
  static std::uint16_t served(std::uint64_t word) { return static_cast<std::uint16_t>(word >> kServed); }
  static std::uint64_t with_one_more_in_line(std::uint64_t word) {
    constexpr std::uint64_t kMask = kNumbers << kNext;
    return (word & ~kMask) | ((word + (std::uint64_t{1} << kNext)) & kMask);
  }

  // The bits of a seat's word.
  static constexpr std::uint64_t kTaken = 1, kWantsAll = 2, kInLine = 4, kHoldsOthers = 8;
  static constexpr int kNumber = 8;

  // Whether the next number is the one that may enter.
  static bool nobody_is_numbered(std::uint64_t word) {
    return ((word ^ word >> (kServed - kNext)) & kNumbers << kNext) == 0;
  }
  [[gnu::always_inline]] static bool may_enter(std::uint64_t word, const Claim& claim) {
    const bool is_closed = (word & kClosed) != 0;
    if (claim.mode == Mode::shared)
      return (word & kExclusive) == 0 && (!is_closed || claim.holds_others) &&
             ((word & kShares) != 0 || claim.in_line || nobody_is_numbered(word));
    if ((word & kHolders) != 0) return false;
    return claim.in_line ? served(word) == claim.number && (is_closed || (word & kWaitToShare) == 0)
                         : nobody_is_numbered(word) && (word & kWaitToShare) == 0;
  }
  // The rank that gets the lock exclusively opens the gate.
  [[gnu::always_inline]] static std::uint64_t entered(std::uint64_t word, const Claim& claim) {
    if (claim.mode == Mode::shared) return claim.in_line ? word + kOne - kWaitsToShare : word + kOne;
    return (claim.in_line ? word + kExclusive + (std::uint64_t{1} << kServed) : word + kExclusive) & ~kClosed;
  }
  // Called when a rank has entered while others had numbers in the line: it was one of these, or it passed them. In
  // the second case it shares the lock, so nobody can have taken it exclusively since, and the rank for which the
  // gate is closed still waits.
  [[gnu::cold, gnu::noinline]] void note_passing(Mode mode) const noexcept {
    constexpr int kPassesEach = 2;
    if (mode == Mode::exclusive)
      lock().passed.store(0, std::memory_order_relaxed);
    else if (lock().passed.fetch_add(1, std::memory_order_relaxed) + 1 >= kPassesEach * control_.ranks())
      lock().word.fetch_or(kClosed, std::memory_order_seq_cst);
  }
  // Whether the rank that sleeps on a seat must wake: because it may enter, or because it should join the line, since
  // it would not find the lock free by chance. All origins that the member acts for share one seat.
  [[nodiscard]] bool should_look(int seat, const Claim& claim) const {
    const std::uint64_t word = lock().word.load(std::memory_order_relaxed);
    return may_enter(word, claim) || (claim.mode == Mode::exclusive && !claim.in_line && (word & kShares) != 0) ||
           (seat == control_.ranks() && (word & kHolders) == 0);
  }

  template <class Ring>
  [[gnu::cold, gnu::noinline]] void wake_sleepers(Ring& ring) const noexcept {
    bool has_rung_for_one = false;
    for (int number = 0; number <= control_.ranks(); ++number) {
      Control::Seat& seat = control_.seat(number);
      std::uint64_t found = seat.load(std::memory_order_acquire);
      if (found == 0) continue;
      const Claim claim{.mode = (found & kWantsAll) != 0 ? Mode::exclusive : Mode::shared,
                        .holds_others = (found & kHoldsOthers) != 0,
                        .in_line = (found & kInLine) != 0,
                        .number = static_cast<std::uint16_t>(found >> kNumber)};
      if (claim.mode == Mode::exclusive && has_rung_for_one) continue;
      if (!should_look(number, claim)) continue;
      if (!seat.compare_exchange_strong(found, 0, std::memory_order_relaxed)) continue;
      lock().sleepers.fetch_sub(1, std::memory_order_relaxed);
      has_rung_for_one |= claim.mode == Mode::exclusive;
      ring(number);
    }
  }

  [[nodiscard]] Control::Lock& lock() const { return control_.lock(); }

  const Control& control_;
};

}  // namespace antiphon::rma
