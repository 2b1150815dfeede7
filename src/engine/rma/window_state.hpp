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

// What one member of a window exposes. The address is valid in the process `home`, a rank of the window, which owns
// the memory: usually the member itself.
struct Exposed {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  std::int64_t disp_unit = 1;
  std::int32_t home = 0;
  std::uint64_t control = 0;  // the address of its words (control.hpp), in its own process; 0: nobody else maps them
};

// Which bytes an operation touches, relative to its displacement. Both are 0 if it touches none.
struct Extent {
  std::int64_t begin;
  std::int64_t end;
};

// Where a displacement leads at a target.
struct Resolved {
  enum class Verdict : std::uint8_t { may_go, no_epoch, negative, out_of_range };

  Verdict verdict;
  std::byte* here;        // in this process's memory; null if it is not mapped, or if that has not been tried
  std::uint64_t address;  // in the target's process
};

class WindowState {
 public:
  // How this process has locked a target. Unchecked: with MPI_MODE_NOCHECK.
  enum class Locked : std::uint8_t { no, shared, exclusive, unchecked };

  struct alignas(base::kCacheLinePair) Target {
    Exposed exposed;
    std::byte* here = nullptr;  // that memory, mapped by this process; null: not mapped, or not tried yet
    Control control;            // the member's words, likewise
    transport::PeerMemory* memory = nullptr;  // to wake the member; null: its words are not mapped, or are our own
    // Epochs between start and complete with this target, and between post and wait with this origin. First how many
    // there are, with the one that is open; then how many are known to be over: the target, or this process, has
    // waited for them.
    std::uint32_t accesses = 0, accesses_over = 0;
    std::uint32_t exposures = 0, exposures_over = 0;
    bool looked_for = false;
    bool open = false;         // this process may operate on it, in an epoch that is not open to all targets
    bool started = false;      // by MPI_Win_start, and no operation has needed its post so far
    bool carries = false;      // complete will send a carried put to it
    bool unconfirmed = false;  // it has been sent packets that it has not confirmed to have carried out
    // The lock that this process has asked the target for by a packet, until the target has granted it.
    bool awaits_grant = false;
    // The lock that this process keeps for the member, which has asked for it by a packet.
    enum class Kept : std::uint8_t { none, wanted, shared, exclusive } kept = Kept::none;
    Locked locked = Locked::no;
    // The operating system can copy to and from its memory, as far as that has been tried.
    bool system_copies = true;
    int under_way = 0;      // operations that this process has not completed locally
    int confirmations = 0;  // that have been asked for and have not arrived
  };

  // If no other process has mapped this process's words, they are created here, with this granularity
  // (Control::decide).
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

  // Whether an operation may touch these bytes of a target now, and where they are. In a dynamic window displacements
  // are addresses; only the member knows which are attached.
  [[nodiscard]] Resolved resolve(int target, std::int64_t displacement, Extent touched) const noexcept;
  // For negative displacements, which resolve() rejects. They are valid in a dynamic window, where they are
  // addresses, if the data itself begins at an address that is not negative.
  [[nodiscard]] Resolved resolve_negative(int target, std::int64_t displacement, Extent touched) const noexcept;
  // Computes the offset of a displacement in what a target exposes; false if not all of the bytes lie there. The
  // displacement must not be negative.
  [[nodiscard]] static bool find_offset(const Target& at, std::int64_t displacement, Extent touched,
                                        std::int64_t* offset) noexcept;
  // An operation begins, so the epoch counts as used.
  void use() noexcept { used_ = true; }

  // Whether all of these bytes, addresses of this process, are exposed by it now.
  [[nodiscard]] bool exposes(std::uint64_t address, std::uint64_t bytes) const {
    if (is_dynamic()) return window_->is_attached(address, bytes);
    const Exposed& mine = of(rank_).exposed;
    return mine.home == rank_ && address >= mine.address && bytes <= mine.bytes &&
           address - mine.address <= mine.bytes - bytes;
  }
  // Whether `rank` is the rank of this process of the job.
  [[nodiscard]] bool is_member(std::int32_t rank, int process) const {
    return rank >= 0 && rank < size_ && comm().world_rank(rank) == process;
  }

  // Call after this process has attached or detached memory.
  void tell_attached() const noexcept { control().attached().tell(window_->attached()); }

  // ---- access epochs
  void may_fence() const;
  void fenced(bool another_follows);
  // Does not open the targets: whether they have posted is checked when that matters.
  void start(objects::Group& group);
  // The target has posted.
  void open(int target) noexcept {
    of(target).open = true;
    of(target).started = false;
  }
  // Whether a target of MPI_Win_start has posted for the epoch with this number.
  [[nodiscard]] bool has_posted(int target, std::uint32_t epoch) const noexcept {
    return base::has_reached(control().posted(target).load(std::memory_order_acquire), epoch);
  }
  void may_complete() const;
  void completed() noexcept;
  // The targets of the last MPI_Win_start, as ranks in the window.
  [[nodiscard]] const std::vector<int>& targets() const { return targets_of_start_.ranks; }
  // For the short ways. may_start_again(): an epoch with the group of the last one may begin now; start_again()
  // begins it. may_complete_now(): the epoch may end without waiting for operations.
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
  // Fails if this process may not wait for its operations between lock and unlock, or begin operations with requests.
  void may_flush(int target) const;
  void may_flush_all() const { need_passive(); }
  // The same questions, for the short ways. If one returns false, the full check may still succeed.
  [[nodiscard]] bool may_lock_now(int target) const noexcept {
    return (access_ == Access::none || access_ == Access::lock) && of(target).locked == Locked::no;
  }
  [[nodiscard]] bool may_unlock_now(int target) const noexcept {
    return access_ == Access::lock && is_settled(target);
  }
  // Whether a target is locked, or all may be, and no operation on it has to be waited for, confirmed or reported.
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
  // The origins of the last MPI_Win_post, as ranks in the window.
  [[nodiscard]] const std::vector<int>& origins() const { return origins_of_post_.ranks; }
  [[nodiscard]] bool may_post_again(const objects::Group& group) const noexcept {
    return exposure_ == Exposure::none && access_ != Access::fence && origins_of_post_.group.get() == &group;
  }
  void post_again() noexcept;
  // Whether an origin of the last post has completed the epoch.
  [[nodiscard]] bool has_completed(int origin) const noexcept {
    const std::uint32_t epoch = of(origin).exposures;
    return base::has_reached(control().completed(origin, epoch).load(std::memory_order_acquire), epoch);
  }
  [[nodiscard]] bool may_wait_now() const noexcept { return exposure_ == Exposure::post; }

  // Fails unless no epoch is open: neither this process nor another may use the window.
  void may_end() const;

  // Throws the error of an operation on a target that no epoch allows.
  [[noreturn, gnu::cold]] void no_epoch(int target) const;

  // ---- operations by packets
  void begun(int target);
  void over(int target);
  [[nodiscard]] int under_way() const { return under_way_; }
  void needs_confirmation(int target);
  // Returns the targets that must confirm. The caller asks them; the state counts their confirmations.
  [[nodiscard]] std::vector<int> ask_for_confirmations();
  [[nodiscard]] bool ask_for_confirmation(int target);
  void confirmed(int target) {
    --of(target).confirmations;
    --confirmations_;
  }
  [[nodiscard]] bool all_confirmed() const { return confirmations_ == 0; }
  // The packet that ends the epoch arrives after all earlier packets, so these need no confirmation.
  void forget_unconfirmed() {
    for (const int target : unconfirmed_) of(target).unconfirmed = false;
    unconfirmed_.clear();
  }
  // An operation by packets has failed, because its target has not attached the memory.
  [[nodiscard]] std::string not_attached_text() const;
  [[noreturn, gnu::cold]] void not_attached() const;
  // A target has refused an operation. take_refused() reports that once.
  void refused() { unsettled_.set(kRefused); }
  [[nodiscard]] bool take_refused() {
    const bool was_refused = unsettled_.test(kRefused);
    unsettled_.reset(kRefused);
    return was_refused;
  }

  // ---- The info key accumulate_ops
  // The operations applied to a target since all earlier ones were known to be complete there.
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
  // Processes of the job that have put to memory that is not attached. Each asks once whether it has.
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
  // The group of an epoch, as ranks of the window. Programs pass the same group again and again, so the last one is
  // kept.
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
  int locks_ = 0;          // targets locked by MPI_Win_lock
  bool all_open_ = false;  // this process may operate on every target
  bool used_ = false;      // an operation was begun in this epoch
  // What must be reported or forgotten when an epoch ends, or when its operations are waited for.
  enum Unsettled : std::uint8_t { kRefused, kApplied, kHowMany };
  std::bitset<kHowMany> unsettled_;
  Access access_ = Access::none;
  Exposure exposure_ = Exposure::none;
  int under_way_ = 0;
  int confirmations_ = 0;  // that have been asked for and have not arrived
  Partners targets_of_start_;
  Partners origins_of_post_;
  std::vector<int> unconfirmed_;
  std::set<int> refused_origins_;
  std::map<int, AppliedOps> applied_;         // by target
  std::unique_ptr<std::byte[]> own_control_;  // if no other process has mapped it
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

// A fence that was followed by no operation has begun no epoch; it ends here.
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

// Every operation calls this first. Short ones do so in the entry point itself (api/windows/short_windows.hpp).
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
