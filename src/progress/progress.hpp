// Makes things happen: polls the transports, lets engines push what back-pressure held up, and waits. One for each
// lane; belongs to the Engines; only the thread that holds the lane calls it. wait() and look() give the lane up
// meanwhile, so that other threads have their turn. What begins with try_ is for threads that do not hold the lane.
#pragma once

#include <cxxabi.h>

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "objects/request.hpp"
#include "platform/linux/asymmetric_fence.hpp"
#include "progress/lane.hpp"
#include "progress/parking.hpp"
#include "progress/user_code.hpp"
#include "transport/channel.hpp"

namespace antiphon::progress {

// An engine with work of its own between packets. It is asked to push only after it has said that it has some, so a
// look at nothing costs nothing.
class Pusher {
 public:
  virtual ~Pusher() = default;
  virtual bool push() = 0;  // true if something moved
  [[nodiscard]] virtual bool has_work() const noexcept = 0;
  // While it has work: a thread is about to sleep, and what this engine waits for has to wake it, unless packets do;
  // it looks once more before. Then: it is awake, whether there still is work or not.
  virtual void fall_asleep() noexcept {}
  virtual void wake_up() noexcept {}

 protected:
  // To be called when there is work where there was none. From here on every look pushes, until none is left.
  void has_begun() noexcept { *busy_ |= mark_; }

 private:
  friend class Progress;
  std::uint32_t* busy_ = nullptr;  // Progress's; a bit for each pusher
  std::uint32_t mark_ = 0;
};

class Progress {
 public:
  Progress(const transport::Dispatcher& dispatcher, Parking& parking, Lane& lane)
      : dispatcher_(dispatcher), parking_(parking), lane_(lane), busy_(parking.crowded() ? kCrowded : 0) {}
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // `Watches` tell when it is to be polled, or nothing does.
  enum class Seen { by_watches, by_polling };
  void add(transport::Transport& transport, Seen seen = Seen::by_polling) {
    transports_.push_back(&transport);
    if (seen == Seen::by_polling) busy_ |= kBlind;
  }
  // Where transports put theirs.
  [[nodiscard]] transport::Watches& watches() { return watches_; }
  void add(Pusher& pusher) {
    pusher.busy_ = &busy_;
    pusher.mark_ = std::uint32_t{1} << pushers_.size();
    pushers_.push_back(&pusher);
  }
  // To be run by the next thread that looks or waits.
  void add(UserStep& step) {
    user_steps_.push_back(step);
    busy_ |= kUserSteps;
  }
  [[nodiscard]] Lane& lane() { return lane_; }
  [[nodiscard]] Parking& parking() { return parking_; }
  // What the process sends to itself comes through `transport`, which is looked at only after sent_to_self().
  void add_own(transport::Transport& transport) { own_ = &transport; }
  void sent_to_self() {
    busy_ |= kOwn;
    wake_other_threads();
  }

  // Whether ranks outnumber cores.
  [[nodiscard]] bool is_crowded() const noexcept { return (busy_ & kCrowded) != 0; }
  // Between what another process may sleep for, and a look whether it does: half of an asymmetric fence, or all of it
  // where sleepers rely on that (Parking::announce).
  void fence_published() const noexcept {
    if (is_crowded()) [[unlikely]]
      std::atomic_thread_fence(std::memory_order_seq_cst);
    else
      platform::AsymmetricFence::light_fence();
  }

  // Between two looks at what another process has for a moment only, and that comes by no poll.
  void breathe(int look) noexcept { (void)parking_.breathe(look, Parking::Others::content); }

  // What to do when a look fails, which ends the job: the handler or pusher that threw has stopped halfway, and which
  // call happened to look says nothing about it.
  void on_failure(std::function<void(const base::Error&)> end_job) { end_job_ = std::move(end_job); }

  // One look at everything; true if something moved.
  enum class UserSteps { run, leave };
  bool poll(UserSteps steps = UserSteps::run) {
    bool moved = false;
    try {
      if (steps == UserSteps::run) program_looked_.store(true, std::memory_order_relaxed);
      for (transport::Transport* transport : transports_) moved |= transport->poll(dispatcher_);
      if ((busy_ & ~kNeverQuiet) != 0) [[unlikely]]
        moved |= push(steps);
    } catch (...) {
      fail();
    }
    if (moved) wake_other_threads();
    return moved;
  }

  // Whether look() would find nothing, and nobody would mind if it were left out. While threads are in MPI one at a
  // time.
  [[nodiscard]] bool is_quiet() const noexcept {
    if (busy_ != 0) [[unlikely]]
      return false;
    for (const transport::Watch& watch : watches_)
      if (watch.changed()) return false;
    return true;
  }

  // For those of this process that sleep: something happened that no other process will ring for.
  void wake_other_threads() {
    if (sleepers_.load(std::memory_order_relaxed) != 0) [[unlikely]]
      parking_.wake_own_threads();
  }

  // Whether done() holds, after a poll if that is needed: MPI_Test, MPI_Iprobe and their kin. Programs call those in
  // loops. So one in vain gives way to whoever may need this very core to bring about what is asked for: a thread of
  // this process that waits too, or, where ranks outnumber cores, another rank.
  template <class Done>
  bool look(Done&& done) {
    if (done()) return true;
    poll();
    if (done()) return true;
    const Parking::Others others = others_beside(0);
    if (others == Parking::Others::waiting || (busy_ & kCrowded) != 0) [[unlikely]]
      give_way(0, others);
    return false;
  }

  // For calls that find what they want without a look, in loops of a program, while others may need this process's
  // answers, or its core: one in so many looks. False for that one, which then has to call the other.
  [[nodiscard]] bool may_skip_look() noexcept {
    if ((skipped_ + 1) % kSkippedLooks == 0) return false;
    ++skipped_;
    return true;
  }
  void look_now_and_then() {
    if (++skipped_ % kSkippedLooks == 0) (void)look([] { return false; });
  }

  // Progresses everything until done() holds: spins briefly, then sleeps. `reason()` is asked only before a sleep.
  template <class Done, class Reason>
  void wait(Done&& done, Reason&& reason) {
    while (!done())
      if (!poll() && !spin(done)) sleep(done, reason);
  }
  void wait(const objects::Request& request);
  // The same for a thread of the library's own, which has all the time there is: it runs no code of the user's, never
  // looks twice, and is not woken by the program's threads, as these look for themselves. While they do, it rests now
  // and then, by rest(), where nobody has to wake it. To have it see that done() holds, wake_all() after that has
  // come true.
  template <class Done, class Rest>
  void serve(Done&& done, Rest&& rest) {
    const auto nothing = [&] { return !poll(UserSteps::leave) && !done(); };
    while (!done()) {
      const bool found_nothing = nothing();
      if (program_looked_.exchange(false, std::memory_order_relaxed)) {
        lane_.unlock();
        rest();
        lane_.lock(Lane::Thread::of_library);
      } else if (found_nothing) {
        sleep_while(nothing, {.communicator = "MPI"}, Lane::Thread::of_library);
      }
    }
  }
  void wake_all() { parking_.wake_own_threads(); }

  // Looks until done() holds or patience has run out; whether done() holds. What only the lane's holder may handle it
  // does itself when the lane is free, so nothing depends on there being another thread.
  template <class Done>
  bool try_wait(Done&& done) {
    if (done()) return true;
    const Counted looker(&lookers_, lane_);
    for (int look = 0, looks = parking_.spin_looks(); look < looks; ++look) {
      if (done()) return true;
      const bool moved =
          try_poll(look % kLooksBetweenPushes == kLooksBetweenPushes - 1 ? Wanted::all : Wanted::packets);
      if (moved || look < kEagerLooks) continue;
      if (!done() && !parking_.breathe(look, others_beside(1))) break;
    }
    return done();
  }
  // look(), in the lane if that is free.
  template <class Done>
  bool try_look(Done&& done) {
    if (done() || (try_poll_packets().moved && done())) return true;
    const std::unique_lock held(lane_, std::try_to_lock);
    return held ? look(done) : done();
  }

 private:
  static constexpr unsigned kSkippedLooks = 32;
  static constexpr int kLooksBetweenPushes = 16;  // without the lane; then one that asks the pushers, too
  static constexpr int kEagerLooks = 20;          // before others may need this core

  // What a thread without the lane saw.
  struct Tried {
    bool moved = false;
    bool refused = false;  // something is there for the lane's holder
  };
  Tried try_poll_packets() {
    Tried tried;
    program_looked_.store(true, std::memory_order_relaxed);
    try {
      for (transport::Transport* transport : transports_)
        tried.moved |= transport->try_poll(dispatcher_.without_lane(), &tried.refused);
    } catch (...) {
      fail();
    }
    // Somebody who announces sleep and then looks, and this one, who has changed what he looks at: one sees the
    // other.
    if (tried.moved) std::atomic_thread_fence(std::memory_order_seq_cst);
    if (tried.moved) wake_other_threads();
    return tried;
  }
  enum class Wanted { packets, all };
  bool try_poll(Wanted wanted) {
    const Tried tried = try_poll_packets();
    if (!tried.refused && wanted == Wanted::packets) return tried.moved;
    const std::unique_lock held(lane_, std::try_to_lock);
    return (held && poll()) || tried.moved;
  }

  // While it lives, one more thread does what the count counts, if anything; where there are several.
  class Counted {
   public:
    Counted(std::atomic<int>* count, const Lane& lane) : count_(lane.shared() ? count : nullptr) {
      if (count_) count_->fetch_add(1, std::memory_order_seq_cst);
    }
    ~Counted() {
      if (count_) count_->fetch_sub(1, std::memory_order_relaxed);
    }
    Counted(const Counted&) = delete;
    Counted& operator=(const Counted&) = delete;

   private:
    std::atomic<int>* count_;
  };
  // From the announcement of a sleep to its end, also where the thread is cancelled.
  class Announced {
   public:
    Announced(Progress& progress, const WaitReason& reason, Lane::Thread thread)
        : progress_(progress),
          busy_(progress.busy_),
          sleeper_(thread == Lane::Thread::of_program ? &progress.sleepers_ : nullptr, progress.lane_),
          ticket_((tell(&Pusher::fall_asleep), progress.parking_.announce(reason))) {}
    ~Announced() {
      progress_.parking_.retract();
      tell(&Pusher::wake_up);
    }
    Announced(const Announced&) = delete;
    Announced& operator=(const Announced&) = delete;
    [[nodiscard]] Parking::Ticket ticket() const { return ticket_; }

   private:
    void tell(void (Pusher::*what)() noexcept) {
      for (Pusher* pusher : progress_.pushers_)
        if ((busy_ & pusher->mark_) != 0) (pusher->*what)();
    }

    Progress& progress_;
    const std::uint32_t busy_;  // as it was
    Counted sleeper_;
    Parking::Ticket ticket_;
  };

  // In `busy_`, with the bits of the pushers: the process has sent packets to itself; ranks outnumber cores; there
  // are transports without watches; user's code is to be run.
  static constexpr std::uint32_t kOwn = 1u << 31, kCrowded = 1u << 30, kBlind = 1u << 29, kUserSteps = 1u << 28;
  static constexpr std::uint32_t kNeverQuiet = kCrowded | kBlind;

  // In a catch clause: ends the job, unless the thread was cancelled in code of the user's. Returns never.
  [[noreturn, gnu::cold, gnu::noinline]] void fail();

  // A handler may give work to the pushers while the process's own packets are handed out, so that comes first.
  [[gnu::noinline]] bool push(UserSteps steps) {
    bool moved = false;
    if ((busy_ & kOwn) != 0) {
      busy_ &= ~kOwn;
      moved |= own_->poll(dispatcher_);
    }
    for (Pusher* pusher : pushers_) {
      if ((busy_ & pusher->mark_) == 0) continue;
      moved |= pusher->push();
      if (!pusher->has_work()) busy_ &= ~pusher->mark_;
    }
    if ((busy_ & kUserSteps) != 0 && steps == UserSteps::run) [[unlikely]]
      moved |= run_user_steps();
    return moved;
  }

  // The last of a look, when nobody below it uses anything of the process. Other threads have the lane meanwhile, and
  // may take some of the steps.
  [[gnu::noinline]] bool run_user_steps() {
    while (!user_steps_.empty()) {
      UserStep& step = user_steps_.front();
      user_steps_.pop_front();
      std::exception_ptr thrown;
      {
        const UserCode running(lane_);
        try {
          step.run();
        } catch (const ::abi::__forced_unwind&) {
          throw;  // the thread was cancelled
        } catch (...) {
          thrown = std::current_exception();
        }
      }
      step.ran(std::move(thrown));
    }
    busy_ &= ~kUserSteps;
    return true;
  }

  template <class Done>
  bool spin(Done& done) {
    const Counted looker(&lookers_, lane_);
    for (int look = 0, looks = parking_.spin_looks(); look < looks; ++look) {
      const bool go_on = give_way(look, others_beside(1));
      if (poll() || done()) return true;
      if (!go_on) break;
    }
    return false;
  }

  // Whether other threads of the program need the lane or a core for what they wait for. So many of those who look
  // are this one.
  [[nodiscard]] Parking::Others others_beside(int myself) const noexcept {
    const bool wait = lookers_.load(std::memory_order_relaxed) > myself || lane_.is_wanted() ||
                      (sleepers_.load(std::memory_order_relaxed) != 0 && parking_.is_waking());
    return wait ? Parking::Others::waiting : Parking::Others::content;
  }
  bool give_way(int look, Parking::Others others) {
    lane_.unlock();
    const bool go_on = parking_.breathe(look, others);
    lane_.lock();
    return go_on;
  }

  template <class Done, class Reason>
  void sleep(Done& done, Reason& reason) {
    sleep_while([&] { return !poll() && !done(); }, reason(), Lane::Thread::of_program);
  }
  template <class Nothing>
  void sleep_while(Nothing&& nothing, const WaitReason& reason, Lane::Thread thread) {
    const Announced announced(*this, reason, thread);
    const auto park = [&](Parking::Patience patience) {
      lane_.unlock();
      const bool rung = parking_.park(announced.ticket(), patience);
      lane_.lock(thread);
      return rung;
    };
    if (nothing() && !park(Parking::Patience::brief) && nothing()) park(Parking::Patience::endless);
  }

  const transport::Dispatcher& dispatcher_;
  Parking& parking_;
  Lane& lane_;
  std::vector<transport::Transport*> transports_;
  transport::Transport* own_ = nullptr;
  std::vector<Pusher*> pushers_;
  std::function<void(const base::Error&)> end_job_;
  base::IntrusiveList<UserStep> user_steps_;
  transport::Watches watches_;
  std::uint32_t busy_;
  unsigned skipped_ = 0;  // looks, and those that were not
  // Of this process, where several may be in MPI: who looks for something, and so may need a core; who has announced
  // a sleep, and has to be rung for.
  std::atomic<int> lookers_ = 0;
  std::atomic<int> sleepers_ = 0;
  std::atomic<bool> program_looked_ = false;  // since a thread of the library's own did
};

}  // namespace antiphon::progress
