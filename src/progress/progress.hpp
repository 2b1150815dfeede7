// The progress engine: polls the transports, lets engines send what back-pressure held up, and waits. There is one
// for each lane. It belongs to the Engines, and only the thread that holds the lane calls it. wait() and look()
// release the lane between polls, so that other threads can take it. Functions whose names begin with try_ are for
// threads that do not hold the lane.
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

// An engine that has work to do besides handling packets. Progress calls push() only while the engine has said that
// it has work, so a poll without such work costs nothing.
class Pusher {
 public:
  virtual ~Pusher() = default;
  virtual bool push() = 0;  // true if something moved
  [[nodiscard]] virtual bool has_work() const noexcept = 0;
  // Progress calls fall_asleep() on an engine with work when a thread is about to sleep. If something other than a
  // packet can end what the engine waits for, the engine must arrange for that to wake the thread, which polls once
  // more before it sleeps. Progress calls wake_up() when the thread is awake, even if the engine has no work any
  // more.
  virtual void fall_asleep() noexcept {}
  virtual void wake_up() noexcept {}

 protected:
  // The engine calls this when it gets work while it had none. From then on every poll calls push(), until has_work()
  // is false.
  void has_begun() noexcept { *busy_ |= mark_; }

 private:
  friend class Progress;
  std::uint32_t* busy_ = nullptr;  // points to Progress::busy_, which has one bit for each pusher
  std::uint32_t mark_ = 0;
};

class Progress {
 public:
  Progress(const transport::Dispatcher& dispatcher, Parking& parking, Lane& lane)
      : dispatcher_(dispatcher), parking_(parking), lane_(lane), busy_(parking.crowded() ? kCrowded : 0) {}
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // by_watches: the transport's words in watches() change whenever a poll would find something. by_polling: only a
  // poll finds out.
  enum class Seen { by_watches, by_polling };
  void add(transport::Transport& transport, Seen seen = Seen::by_polling) {
    transports_.push_back(&transport);
    if (seen == Seen::by_polling) busy_ |= kBlind;
  }
  // Transports add their watches here.
  [[nodiscard]] transport::Watches& watches() { return watches_; }
  void add(Pusher& pusher) {
    pusher.busy_ = &busy_;
    pusher.mark_ = std::uint32_t{1} << pushers_.size();
    pushers_.push_back(&pusher);
  }
  // The next thread that polls runs the step.
  void add(UserStep& step) {
    user_steps_.push_back(step);
    busy_ |= kUserSteps;
  }
  [[nodiscard]] Lane& lane() { return lane_; }
  [[nodiscard]] Parking& parking() { return parking_; }
  // Packets that the process sends to itself come through `transport`, which is polled only after sent_to_self().
  void add_own(transport::Transport& transport) { own_ = &transport; }
  void sent_to_self() {
    busy_ |= kOwn;
    wake_other_threads();
  }

  // Whether there are more ranks than cores.
  [[nodiscard]] bool is_crowded() const noexcept { return (busy_ & kCrowded) != 0; }
  // A publisher calls this after it has published something that another process may sleep for, and before it reads
  // whether that process sleeps. It is the light half of an asymmetric fence. Where ranks outnumber cores, sleepers
  // execute an ordinary fence (Parking::announce), so the publisher needs a full one, too.
  void fence_published() const noexcept {
    if (is_crowded()) [[unlikely]]
      std::atomic_thread_fence(std::memory_order_seq_cst);
    else
      platform::AsymmetricFence::light_fence();
  }

  // For loops that wait for another process without polling, because it holds what they wait for only briefly.
  void breathe(int look) noexcept { (void)parking_.breathe(look, Parking::Others::content); }

  // Sets the function that ends the job when a poll fails. The job must end because the handler or pusher that threw
  // has stopped halfway; the call that happened to poll is not to blame for the error.
  void on_failure(std::function<void(const base::Error&)> end_job) { end_job_ = std::move(end_job); }

  // Polls every transport and lets engines push; true if something moved.
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

  // Whether look() would find nothing and may be left out: no watch has changed, every transport has watches, no
  // engine has work, and no other rank may need this core. Only for processes in which one thread at a time calls
  // MPI.
  [[nodiscard]] bool is_quiet() const noexcept {
    if (busy_ != 0) [[unlikely]]
      return false;
    for (const transport::Watch& watch : watches_)
      if (watch.changed()) return false;
    return true;
  }

  // Wakes parked threads of this process. To be called when something happened for which no other process rings the
  // doorbell.
  void wake_other_threads() {
    if (sleepers_.load(std::memory_order_relaxed) != 0) [[unlikely]]
      parking_.wake_own_threads();
  }

  // Whether done() holds, after a poll if that is needed. For MPI_Test, MPI_Iprobe and the like, which programs call
  // in loops. When it finds nothing, it releases the lane and may yield the core if somebody else may need them to
  // make done() true: another waiting thread of this process or, where ranks outnumber cores, another rank.
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

  // For calls that programs make in loops and that complete without a poll. Every kSkippedLooks-th of them must poll
  // nevertheless, because other processes may need answers from this one, or its core. may_skip_look() returns false
  // when that poll is due; the caller must then call look_now_and_then().
  [[nodiscard]] bool may_skip_look() noexcept {
    if ((skipped_ + 1) % kSkippedLooks == 0) return false;
    ++skipped_;
    return true;
  }
  void look_now_and_then() {
    if (++skipped_ % kSkippedLooks == 0) (void)look([] { return false; });
  }

  // Makes progress until done() holds: polls for a while, then sleeps. Calls reason() only before a sleep.
  template <class Done, class Reason>
  void wait(Done&& done, Reason&& reason) {
    while (!done())
      if (!poll() && !spin(done)) sleep(done, reason);
  }
  void wait(const objects::Request& request);
  // wait() for the library's progress thread. It runs no user code and does not spin. Threads of the program do not
  // wake it, because they poll themselves; while they do so, it does not sleep on the doorbell but calls rest(), a
  // short sleep without the lane, so that no sender has to ring for it. Whoever makes done() true must then call
  // wake_all().
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

  // Polls until done() holds or the polls of one spin are used up; returns whether done() holds. If packets need the
  // lane's holder and the lane is free, this thread takes the lane and handles them, so it does not depend on another
  // thread.
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
  // look() for a thread that does not hold the lane: takes the lane for it if the lane is free.
  template <class Done>
  bool try_look(Done&& done) {
    if (done() || (try_poll_packets().moved && done())) return true;
    const std::unique_lock held(lane_, std::try_to_lock);
    return held ? look(done) : done();
  }

 private:
  static constexpr unsigned kSkippedLooks = 32;
  static constexpr int kLooksBetweenPushes = 16;  // every 16th look tries the lane, to let engines push, too
  static constexpr int kEagerLooks = 20;          // first looks, which never yield the core

  // What a thread without the lane has found.
  struct Tried {
    bool moved = false;
    bool refused = false;  // there is a packet that only the lane's holder may handle
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
    // A thread that announces its sleep polls after that; this thread has changed what it polls for, and now reads
    // whether it sleeps. With a full fence on both sides, at least one of them sees the other's change.
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

  // Counts this thread in *count while it lives. Counts nothing where only one thread at a time calls MPI.
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
  // Announces a sleep and retracts that at its end, also if the thread is cancelled while it sleeps.
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
    const std::uint32_t busy_;  // when the sleep was announced; wake_up() goes to the same engines
    Counted sleeper_;
    Parking::Ticket ticket_;
  };

  // Further bits of `busy_`. kOwn: the process has sent packets to itself. kCrowded: ranks outnumber cores. kBlind:
  // there are transports without watches. kUserSteps: user code waits to be run.
  static constexpr std::uint32_t kOwn = 1u << 31, kCrowded = 1u << 30, kBlind = 1u << 29, kUserSteps = 1u << 28;
  static constexpr std::uint32_t kNeverQuiet = kCrowded | kBlind;

  // Ends the job because of the exception that is being handled. Rethrows only the forced unwinding of a cancelled
  // thread. To be called in a catch clause.
  [[noreturn, gnu::cold, gnu::noinline]] void fail();

  // The process's own packets come first, because their handlers may give work to the pushers.
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

  // The last part of a poll, when no caller below it uses objects of the process. User code runs without the lane, so
  // other threads may take it meanwhile and run some of the steps.
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
          throw;  // the thread is being cancelled
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

  // Whether other threads of the program need the lane or a core to proceed. `myself` is how often the caller itself
  // counts in lookers_: 0 or 1.
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
  unsigned skipped_ = 0;  // counts the calls that may_skip_look() let pass and those of look_now_and_then()
  // Counted only where several threads may be inside MPI: lookers_ are the threads that spin, so they may need a
  // core; sleepers_ are the program's threads that have announced a sleep, so the doorbell must ring for them.
  std::atomic<int> lookers_ = 0;
  std::atomic<int> sleepers_ = 0;
  std::atomic<bool> program_looked_ = false;  // since the progress thread last checked
};

}  // namespace antiphon::progress
