// The state of a window between its synchronizations: which targets' memory this process may access now, and how;
// which of its operations are not complete; and whether others may access its own memory (MPI 5.0, 12.5). OneSided
// creates it with the window and owns it until the window ends; only this engine changes it, while it holds the
// lane. It never sends. A synchronization first asks whether it is allowed, and gets an error that names the call
// that must come first; then it tells the state what has happened.
#pragma once

#include <bitset>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/cache_line.hpp"
#include "base/has_reached.hpp"
#include "engine/rma/applied_ops.hpp"
#include "engine/rma/control.hpp"
#include "objects/group.hpp"
#include "objects/request.hpp"
#include "objects/window.hpp"

namespace antiphon::transport {
class PeerMemory;
}

namespace antiphon::rma {

// What one member of a window exposes. The address is one of the process `home`, a rank of the window, whose memory
// it is: mostly the member itself.
struct Exposed {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  std::int64_t disp_unit = 1;
  std::int32_t home = 0;
  std::uint64_t control =
      0;  // the member's words (engine/rma/control.hpp), of its own process; 0: nobody else sees them
};

// Which bytes an operation touches, counted from its displacement. Of nothing it is 0 to 0.
struct Extent {
  std::int64_t begin;
  std::int64_t end;
};

// What a displacement at a target comes to.
struct Resolved {
  enum class Verdict : std::uint8_t { may_go, no_epoch, negative, out_of_range };

  Verdict verdict;
  std::byte* here;        // in this process's memory; null if it is not there, or nobody has looked so far
  std::uint64_t address;  // in the target's
};

class WindowState {
 public:
  // How this process has locked a target. Unchecked: it says that nobody else does.
  enum class Locked : std::uint8_t { no, shared, exclusive, unchecked };

  struct alignas(base::kCacheLinePair) Target {
    Exposed exposed;
    std::byte* here = nullptr;  // where that is in this process's memory; null: nowhere, or not looked for
    Control control;            // likewise
    transport::PeerMemory* memory = nullptr;  // of a process whose words are here, to wake it by; null for this one
    // Epochs between start and complete with it as a target, and between post and wait with it as an origin: with the
    // one that is under way, and how many the target has waited for, at least, or this process has.
    std::uint32_t accesses = 0, accesses_over = 0;
    std::uint32_t exposures = 0, exposures_over = 0;
    bool looked_for = false;
    bool open = false;         // to operations of this process, by an epoch that is not for all targets
    bool started = false;      // by start, and so far nothing was to be done that needs its post
    bool carries = false;      // complete will carry a put to it
    bool unconfirmed = false;  // has not said yet that it has all that was put there by packets
    bool granted = false;      // the lock that was asked for by a packet
    Locked locked = Locked::no;
    // To and from its memory, as far as anybody has tried.
    bool system_copies = true;
    int under_way = 0;      // operations that this side has to do more for
    int confirmations = 0;  // that have been asked for and have not come
  };

  // Words that nobody else sees are made here, as Control::decide() has them.
  WindowState(objects::Ref<objects::Window> window, std::span<const Exposed> exposed, std::uint64_t granularity = 0);

  [[nodiscard]] objects::Window& window() const { return *window_; }
  [[nodiscard]] objects::Comm& comm() const { return window_->comm(); }
  [[nodiscard]] bool is_dynamic() const { return window_->flavor() == objects::Window::Flavor::dynamic; }
  [[nodiscard]] int size() const { return size_; }
  [[nodiscard]] int rank() const { return rank_; }
  // This process's own words.
  [[nodiscard]] const Control& control() const { return of(rank_).control; }
  [[nodiscard]] Target& of(int target) { return targets_[static_cast<std::size_t>(target)]; }
  [[nodiscard]] const Target& of(int target) const { return targets_[static_cast<std::size_t>(target)]; }

  // Whether an operation may touch these bytes of a target now, and where they are. A dynamic window's are given by
  // address; what is attached there only their owner knows.
  [[nodiscard]] Resolved resolve(int target, std::int64_t displacement, Extent touched) const noexcept;
  // For bytes that begin before the displacement, which resolve() calls negative: they may where displacements are
  // addresses that data may lie behind.
  [[nodiscard]] Resolved resolve_negative(int target, std::int64_t displacement, Extent touched) const noexcept;
  // How far into what a target exposes these bytes are; false if they are not all in it. The displacement is not
  // negative.
  [[nodiscard]] static bool find_offset(const Target& at, std::int64_t displacement, Extent touched,
                                        std::int64_t* offset) noexcept;
  // An operation begins: epochs that have been used have to be ended.
  void use() noexcept { used_ = true; }

  // To be called when this process has attached or detached memory.
  void tell_attached() const noexcept { control().attached().tell(window_->attached()); }

  // ---- access epochs
  void may_fence() const;
  void fenced(bool another_follows);
  // Opens no target: whether they have posted is asked when it matters.
  void start(objects::Group& group);
  // The target has posted.
  void open(int target) noexcept {
    of(target).open = true;
    of(target).started = false;
  }
  // Whether a target of start has posted for this epoch of the two.
  [[nodiscard]] bool has_posted(int target, std::uint32_t epoch) const noexcept {
    return base::has_reached(control().posted(target).load(std::memory_order_acquire), epoch);
  }
  void may_complete() const;
  void completed() noexcept;
  // Of the last start, by rank in the window.
  [[nodiscard]] const std::vector<int>& targets() const { return targets_of_start_.ranks; }
  // For the short ways: whether the group of the last start may be started with now, and then that it is; and whether
  // start's epoch may end without anything to wait for.
  [[nodiscard]] bool may_start_again(const objects::Group& group) const noexcept {
    return access_ == Access::none && exposure_ != Exposure::fence && targets_of_start_.group.get() == &group;
  }
  void start_again() noexcept;
  [[nodiscard]] bool may_complete_now() const noexcept {
    return access_ == Access::start && !is_dynamic() && is_quiet();
  }

  // ---- passive targets
  void may_lock(int target) const;
  void locked(int target, Locked how) noexcept;
  void may_unlock(int target) const;
  void unlocked(int target) noexcept;
  void may_lock_all() const;
  void locked_all(Locked how);
  void may_unlock_all() const;
  void unlocked_all();
  // Whether this process may say, between lock and unlock, that it waits for its operations; and begin such as give
  // a request.
  void may_flush(int target) const;
  void may_flush_all() const { need_passive(); }
  // The same questions for the short ways. False may mean that a longer look would say yes.
  [[nodiscard]] bool may_lock_now(int target) const noexcept {
    return (access_ == Access::none || access_ == Access::lock) && of(target).locked == Locked::no;
  }
  [[nodiscard]] bool may_unlock_now(int target) const noexcept {
    return access_ == Access::lock && is_settled(target);
  }
  // Whether a target is locked, or all may be, and nothing of their operations is left to wait for or to tell.
  [[nodiscard]] bool is_settled(int target) const noexcept {
    const Target& at = of(target);
    return at.locked != Locked::no && !at.unconfirmed && (at.under_way | at.confirmations) == 0 && unsettled_.none();
  }
  [[nodiscard]] bool all_settled() const noexcept {
    return (access_ == Access::lock || access_ == Access::lock_all) && is_quiet();
  }

  // ---- exposure epochs
  void post(objects::Group& group);
  void may_wait() const;
  void waited() noexcept;
  // Of the last post, likewise.
  [[nodiscard]] const std::vector<int>& origins() const { return origins_of_post_.ranks; }
  [[nodiscard]] bool may_post_again(const objects::Group& group) const noexcept {
    return exposure_ == Exposure::none && access_ != Access::fence && origins_of_post_.group.get() == &group;
  }
  void post_again() noexcept;
  // Whether an origin of the last post is done with the epoch.
  [[nodiscard]] bool has_completed(int origin) const noexcept {
    const std::uint32_t epoch = of(origin).exposures;
    return base::has_reached(control().completed(origin, epoch).load(std::memory_order_acquire), epoch);
  }
  [[nodiscard]] bool may_wait_now() const noexcept { return exposure_ == Exposure::post; }

  // Whether nothing of this process's is open, nor anybody may reach in here.
  void may_end() const;

  // Why an operation on this target may not begin.
  [[noreturn, gnu::cold]] void no_epoch(int target) const;

  // ---- operations by packets
  void begun(int target);
  void over(int target);
  [[nodiscard]] int under_way() const { return under_way_; }
  void needs_confirmation(int target);
  // The targets that have to confirm; from now on that is waited for.
  [[nodiscard]] std::vector<int> ask_for_confirmations();
  [[nodiscard]] bool ask_for_confirmation(int target);
  void confirmed(int target) {
    --of(target).confirmations;
    --confirmations_;
  }
  [[nodiscard]] bool all_confirmed() const { return confirmations_ == 0; }
  // What is said by the message that ends the epoch need not be confirmed.
  void forget_unconfirmed() {
    for (const int target : unconfirmed_) of(target).unconfirmed = false;
    unconfirmed_.clear();
  }
  // What was to be done by packets could not be, because the target has not attached that memory.
  [[nodiscard]] std::string not_attached_text() const;
  [[noreturn, gnu::cold]] void not_attached() const;
  // A target could not do what it was asked for; asked once.
  void refused() { unsettled_.set(kRefused); }
  [[nodiscard]] bool take_refused() {
    const bool was_refused = unsettled_.test(kRefused);
    unsettled_.reset(kRefused);
    return was_refused;
  }

  // ---- what the program has said of its operations
  // What was applied to a target, until that is known to be over there.
  [[nodiscard]] AppliedOps& applied_to(int target) {
    unsettled_.set(kApplied);
    return applied_[target];
  }
  void forget_applied_to(int target) {
    applied_.erase(target);
    if (applied_.empty()) unsettled_.reset(kApplied);
  }
  void forget_applied() {
    applied_.clear();
    unsettled_.reset(kApplied);
  }

  // ---- operations of others on this process's memory
  // Processes of the job whose puts found nothing attached; they ask once.
  void refuse(int origin) { refused_origins_.insert(origin); }
  [[nodiscard]] bool take_refused(int origin) { return refused_origins_.erase(origin) != 0; }

 private:
  enum class Access : std::uint8_t { none, fence, start, lock, lock_all };
  enum class Exposure : std::uint8_t { none, fence, post };

  [[noreturn, gnu::cold]] void out_of_order(const char* what) const;
  void need_no_epoch() const;
  void need_no_access() const;
  void need_passive() const;
  void need_locks_ended() const;
  void begin_passive(Access access) noexcept;
  void need_unused_fence() const;
  // Members of the window, as the group of an epoch names them. Programs pass the same one again and again, so the
  // last is kept.
  struct Partners {
    objects::Ref<objects::Group> group;
    std::vector<int> ranks;
  };
  void find_ranks(objects::Group& group, Partners* partners) const;
  [[nodiscard]] bool is_quiet() const noexcept {
    return unconfirmed_.empty() && (under_way_ | confirmations_) == 0 && unsettled_.none();
  }
  [[nodiscard]] bool fence_in_use() const { return access_ == Access::fence && used_; }

  std::unique_ptr<Target[]> targets_;
  int size_;
  int rank_;
  int locks_ = 0;          // targets that are locked each for itself
  bool all_open_ = false;  // every target is open to operations of this process
  bool used_ = false;      // an operation was begun in this epoch
  // What is to be told or forgotten when an epoch ends, or what was done in it is waited for.
  enum Unsettled : std::uint8_t { kRefused, kApplied, kHowMany };
  std::bitset<kHowMany> unsettled_;
  Access access_ = Access::none;
  Exposure exposure_ = Exposure::none;
  int under_way_ = 0;
  int confirmations_ = 0;  // that have been asked for and have not come
  Partners targets_of_start_;
  Partners origins_of_post_;
  std::vector<int> unconfirmed_;
  std::set<int> refused_origins_;
  std::map<int, AppliedOps> applied_;         // by target
  std::unique_ptr<std::byte[]> own_control_;  // where nobody else sees it
  objects::Ref<objects::Window> window_;
};

inline void WindowState::start_again() noexcept {
  for (const int target : targets()) {
    of(target).started = true;
    ++of(target).accesses;
  }
  access_ = Access::start;
  all_open_ = false;
}

inline void WindowState::completed() noexcept {
  for (const int target : targets()) of(target).open = of(target).started = of(target).carries = false;
  access_ = Access::none;
  used_ = false;
}

inline void WindowState::post_again() noexcept {
  for (const int origin : origins()) ++of(origin).exposures;
  exposure_ = Exposure::post;
}

inline void WindowState::waited() noexcept {
  for (const int origin : origins()) of(origin).exposures_over = of(origin).exposures;
  exposure_ = Exposure::none;
}

// A fence that began nothing, as it turns out, ends here.
inline void WindowState::begin_passive(Access access) noexcept {
  if (exposure_ == Exposure::fence) exposure_ = Exposure::none;
  access_ = access;
  all_open_ = access == Access::lock_all;
}

inline void WindowState::locked(int target, Locked how) noexcept {
  if (access_ != Access::lock) begin_passive(Access::lock);
  of(target).locked = how;
  of(target).open = true;
  ++locks_;
}

inline void WindowState::unlocked(int target) noexcept {
  of(target).locked = Locked::no;
  of(target).open = false;
  if (--locks_ == 0) access_ = Access::none;
  used_ = false;
}

[[gnu::always_inline]] inline bool WindowState::find_offset(const Target& at, std::int64_t displacement,
                                                            Extent touched, std::int64_t* offset) noexcept {
  std::int64_t end = 0;
  return !__builtin_mul_overflow(displacement, at.exposed.disp_unit, offset) &&
         !__builtin_add_overflow(*offset, touched.end, &end) && static_cast<std::uint64_t>(end) <= at.exposed.bytes &&
         (touched.begin >= 0 || *offset >= -touched.begin);
}

// Every operation begins with this, in the entry point itself where it is short (api/windows/short_windows.hpp).
[[gnu::always_inline]] inline Resolved WindowState::resolve(int target, std::int64_t displacement,
                                                            Extent touched) const noexcept {
  using Verdict = Resolved::Verdict;
  const Target& at = of(target);
  if (!all_open_ && !at.open) [[unlikely]]
    return {Verdict::no_epoch, nullptr, 0};
  if (displacement < 0) [[unlikely]]
    return {Verdict::negative, nullptr, 0};
  std::int64_t offset = 0;
  if (!find_offset(at, displacement, touched, &offset)) [[unlikely]]
    return {Verdict::out_of_range, nullptr, 0};
  return {Verdict::may_go, at.here ? at.here + offset : nullptr,
          at.exposed.address + static_cast<std::uint64_t>(offset)};
}

}  // namespace antiphon::rma
