#include "process/doorbell_parking.hpp"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <climits>
#include <cstring>
#include <string>

#include "platform/clock.hpp"
#include "platform/pause.hpp"

namespace antiphon::process {

namespace {

// The first polls follow each other without a pause, because an answer from a running rank comes within a fraction of
// a microsecond.
constexpr int kEagerLooks = 200;
// If a yield returns sooner than this, nobody else wanted the core; the rank then skips yields for some polls.
constexpr std::chrono::nanoseconds kNobodyElse{1'000};
constexpr int kLooksAlone = 64;
// After kTurnsLost yields in a row that each cost a full time slice, the next kWaitsAsleep waits sleep without
// yielding: another process computes on the core, and will go on doing so.
constexpr int kTurnsLost = 3, kWaitsAsleep = 32;
// Where heavy fences are not reliable, a publisher may miss a sleeper that announces itself at the same moment. They
// miss each other by nanoseconds, so one more look after this time finds what was published.
constexpr std::uint64_t kSecondLookNs = 1'000'000;

static_assert(progress::WaitReason::kAnyPeer == bootstrap::WaitNote::kAnyPeer);
static_assert(progress::WaitReason::kNoPeer == bootstrap::WaitNote::kNoPeer);
static_assert(progress::WaitReason::kAnyTag == bootstrap::WaitNote::kAnyTag);
static_assert(progress::WaitReason::kNoTag == bootstrap::WaitNote::kNoTag);

// Copies text into a fixed array; longer text is cut and ends with "...".
template <std::size_t N>
void copy_text(char (&target)[N], std::string_view text) {
  constexpr std::string_view kMore = "...";
  const std::size_t length = std::min(text.size(), N - 1);
  std::memcpy(target, text.data(), length);
  if (length < text.size()) std::memcpy(target + length - kMore.size(), kMore.data(), kMore.size());
  target[length] = '\0';
}

std::string describe(const progress::Agreed& what) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (what.root != progress::Agreed::kNoRoot) add(fmt::format("root {}", what.root));
  if (what.bytes >= 0) add(fmt::format("{} bytes", what.bytes));
  if (*what.op) add(what.op);
  return text;
}

}  // namespace

DoorbellParking::DoorbellParking(const bootstrap::Header& job, bootstrap::RankSlot& slot,
                                 const progress::CallContext& call, const progress::Lane& lane,
                                 const settings::Values& settings, counters::Counters& counters,
                                 std::span<const bootstrap::RankSlot> slots, Descriptors* descriptors)
    : slot_(slot),
      waker_(slot.doorbell, descriptors),
      slots_(slots),
      call_(call),
      lane_(lane),
      settings_(settings),
      counters_(counters),
      oversubscribed_(job.oversubscribed != 0),
      has_peers_(job.world_size != 1) {}

// The default number of polls takes about a hundred microseconds, as long as being woken a few times. Where ranks
// share cores, a rank yields its core before each poll, because the awaited rank may need it. If no other process
// wanted the core, the next kLooksAlone polls skip the yield, which takes longer than an answer from another core.
int DoorbellParking::spin_looks() const noexcept {
  if (!has_peers_) return 0;
  if (!oversubscribed_) return settings_.wait_looks;
  const std::int64_t looks = std::int64_t{settings_.wait_yields} * (lane_.shared() ? 1 : 1 + kLooksAlone);
  return static_cast<int>(std::min<std::int64_t>(INT_MAX, looks));
}

// A process that keeps the core for longer than a time slice computes. A rank that went on yielding to it would wait
// for a time slice at each poll; a rank that sleeps gets the core as soon as it is woken. A rank with a core of its
// own keeps it unless other threads of the rank need it: if other programs want cores as well, each wait would cost a
// time slice.
bool DoorbellParking::breathe(int look, Others others) noexcept {
  if (oversubscribed_ || others == Others::waiting)
    return lane_.shared() ? yield_core() < settings_.wait_turn : share_core(look);
  if (look >= kEagerLooks) platform::pause();
  return true;
}

// Returns how long the core was away.
std::chrono::nanoseconds DoorbellParking::yield_core() noexcept {
  counters_.yields.add();
  const std::uint64_t gave_way = platform::monotonic_ns();
  sched_yield();
  return std::chrono::nanoseconds(platform::monotonic_ns() - gave_way);
}

bool DoorbellParking::share_core(int look) noexcept {
  if (look == 0) {
    yields_ = 0;
    if (waits_asleep_ > 0) return --waits_asleep_, false;
  }
  if (looks_alone_ > 0) {
    --looks_alone_;
    return true;
  }
  const std::chrono::nanoseconds away = yield_core();
  looks_alone_ = away < kNobodyElse ? kLooksAlone : 0;
  const bool lost = away >= settings_.wait_turn;
  turns_lost_ = lost ? turns_lost_ + 1 : 0;
  if (turns_lost_ >= kTurnsLost) waits_asleep_ = kWaitsAsleep;
  return !lost && ++yields_ < settings_.wait_yields;
}

// Where ranks outnumber cores, publishers pay a full fence each (ShmTransport's Bell) and sleepers no system call.
progress::Parking::Ticket DoorbellParking::announce(const progress::WaitReason& reason) noexcept {
  publish(reason);
  const Ticket bell = waker_.rings();
  heard_.store(bell, std::memory_order_relaxed);
  ++sleepers_;
  slot_.sleeping.store(sleeping_mark(), std::memory_order_seq_cst);
  if (oversubscribed_)
    std::atomic_thread_fence(std::memory_order_seq_cst);
  else
    fence_.heavy_fence();
  return bell;
}

bool DoorbellParking::park(Ticket bell, Patience patience) noexcept {
  if (patience == Patience::brief) {
    slot_.sleeps.fetch_add(1, std::memory_order_relaxed);
    counters_.sleeps.add();
  }
  const bool may_be_overlooked = patience == Patience::brief && !oversubscribed_;
  return waker_.sleep(bell, may_be_overlooked ? kSecondLookNs : 0) || !may_be_overlooked;
}

void DoorbellParking::retract() noexcept {
  --sleepers_;
  slot_.sleeping.store(sleeping_mark(), std::memory_order_release);
  waker_.end_sleep();
}

void DoorbellParking::tell_failure(const progress::NthCollective& which, std::string_view why) noexcept {
  static_assert(progress::NthCollective::kLater == bootstrap::FailureNote::kLater);
  slot_.failure_version.fetch_add(1, std::memory_order_acq_rel);
  copy_text(slot_.failure.communicator, which.communicator);
  slot_.failure.nth = which.nth;
  copy_text(slot_.failure.text, why);
  slot_.failure_version.fetch_add(1, std::memory_order_release);
}

std::string DoorbellParking::failure_of(int process, const progress::NthCollective& which) const {
  const auto slot = std::ranges::find(slots_, process, &bootstrap::RankSlot::world_rank);
  if (slot == slots_.end() || which.nth == 0) return {};
  const std::optional<bootstrap::FailureNote> note = bootstrap::failure_of(*slot);
  const bool is_that_one = note && note->nth == which.nth && note->communicator == which.communicator;
  return is_that_one ? note->text : "";
}

// In a process with several threads, one sleeping thread does not mean that the rank is stuck, because others may
// compute; mpiexec must not report a hang then.
std::uint32_t DoorbellParking::sleeping_mark() const noexcept {
  if (sleepers_ == 0) return 0;
  return lane_.shared() ? bootstrap::kThreadsAsleep : bootstrap::kRankAsleep;
}

void DoorbellParking::publish(const progress::WaitReason& reason) noexcept {
  slot_.wait_version.fetch_add(1, std::memory_order_acq_rel);
  bootstrap::WaitNote& note = slot_.wait;
  copy_text(note.call, call_.procedure);
  copy_text(note.communicator, reason.communicator);
  note.peer = reason.peer;
  note.tag = reason.tag;
  note.bytes = reason.bytes;
  note.since_ns = platform::monotonic_ns();
  note.nth = call_.collective.nth;
  if (note.nth != 0) copy_text(note.agreed, describe(call_.collective));
  slot_.wait_version.fetch_add(1, std::memory_order_release);
}

}  // namespace antiphon::process
