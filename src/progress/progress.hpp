// Makes things happen: polls the transports, lets engines push what back-pressure held up, and waits. One for each
// lane; belongs to the Process; only the thread that holds the lane calls it. wait() and look() give the lane up
// meanwhile, so that other threads have their turn. What ends in _beside is for threads that do not hold the lane.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

#include "progress/lane.hpp"
#include "progress/parking.hpp"
#include "transport/channel.hpp"

namespace antiphon::progress {

// An engine with work of its own between packets. It is asked to push only after it has said that it has some, so a
// look at nothing costs nothing.
class Pusher {
 public:
  virtual ~Pusher() = default;
  virtual bool push() = 0;  // true if something moved
  [[nodiscard]] virtual bool has_work() const noexcept = 0;

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
  Progress(transport::Dispatcher& dispatcher, Parking& parking, Lane& lane)
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
  // For those who poll beside the lane.
  void set_dispatcher_beside(const transport::Dispatcher& dispatcher) { dispatcher_beside_ = &dispatcher; }
  void add(Pusher& pusher) {
    pusher.busy_ = &busy_;
    pusher.mark_ = std::uint32_t{1} << pushers_.size();
    pushers_.push_back(&pusher);
  }
  // What the process sends to itself comes through `transport`, which is looked at only after sent_to_self().
  void add_own(transport::Transport& transport) { own_ = &transport; }
  void sent_to_self() {
    busy_ |= kOwn;
    wake_other_threads();
  }

  // One look at everything; true if something moved.
  bool poll() {
    bool moved = false;
    for (transport::Transport* transport : transports_) moved |= transport->poll(dispatcher_);
    if ((busy_ & ~kNeverQuiet) != 0) [[unlikely]]
      moved |= push();
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
    if (parked_ == 0) [[likely]]
      return;
    parking_.wake_own_threads();
    woken_.store(true, std::memory_order_relaxed);
  }

  // Whether done() holds, after a poll if that is needed: MPI_Test, MPI_Iprobe and their kin. Programs call those in
  // loops. So one in vain gives way to whoever may need this very core to bring about what is asked for: a thread of
  // this process that waits too, or, where ranks outnumber cores, another rank.
  template <class Done>
  bool look(Done&& done) {
    if (done()) return true;
    poll();
    if (done()) return true;
    if (awake_ != 0 || awake_beside_.load(std::memory_order_relaxed) != 0 || woken_.load(std::memory_order_relaxed) ||
        (busy_ & kCrowded) != 0) [[unlikely]]
      give_way(0);
    return false;
  }

  // Progresses everything until done() holds: spins briefly, then sleeps. `reason()` is asked only before a sleep.
  template <class Done, class Reason>
  void wait(Done&& done, Reason&& reason) {
    const Awake counted(awake_);
    while (!done()) {
      if (poll() || spin(done)) continue;
      const Counted dozing(dozing_);
      const Parking::Ticket ticket = parking_.announce(reason());
      const auto nothing = [&] { return !poll() && !done(); };
      if (nothing() && !park(ticket, Parking::Patience::brief) && nothing()) park(ticket, Parking::Patience::endless);
      parking_.retract();
    }
  }

  // Looks, beside the lane, until done() holds or patience has run out; whether done() holds. What only the lane's
  // holder may handle it does itself when the lane is free, so nothing depends on there being another thread.
  template <class Done>
  bool wait_beside(Done&& done) {
    if (done()) return true;
    const Counted counted(awake_beside_);
    for (int look = 0, looks = parking_.spin_looks(); look < looks; ++look) {
      if (done()) return true;
      bool refused = look % kLooksBeside == kLooksBeside - 1;
      bool moved = poll_beside(&refused);
      if (refused && lane_.try_lock()) {
        const std::lock_guard held(lane_, std::adopt_lock);
        moved |= poll();
      }
      if (moved || look < kEagerLooksBeside) continue;
      if (!done() && !parking_.breathe(look)) break;
    }
    return done();
  }
  // look(), in the lane if that is free.
  template <class Done>
  bool look_beside(Done&& done) {
    if (done()) return true;
    bool refused = false;
    if (poll_beside(&refused) && done()) return true;
    if (!lane_.try_lock()) return done();
    const std::lock_guard held(lane_, std::adopt_lock);
    return look(done);
  }

 private:
  static constexpr int kLooksBeside = 16;       // before one that asks the pushers, too
  static constexpr int kEagerLooksBeside = 20;  // before others may need this core

  bool poll_beside(bool* refused) {
    bool moved = false;
    for (transport::Transport* transport : transports_) moved |= transport->poll_beside(*dispatcher_beside_, refused);
    if (moved) wake_sleepers_beside();
    return moved;
  }

  // Somebody who announces sleep and then looks, and this one, who has changed what he looks at: one sees the other.
  void wake_sleepers_beside() {
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (dozing_.load(std::memory_order_relaxed) == 0) [[likely]]
      return;
    parking_.wake_own_threads();
    woken_.store(true, std::memory_order_relaxed);
  }

  // While it lives, one more thread does what the count counts.
  class Counted {
   public:
    explicit Counted(std::atomic<int>& count) : count_(count) { count_.fetch_add(1, std::memory_order_seq_cst); }
    ~Counted() { count_.fetch_sub(1, std::memory_order_relaxed); }
    Counted(const Counted&) = delete;
    Counted& operator=(const Counted&) = delete;

   private:
    std::atomic<int>& count_;
  };
  // While it lives, one more thread is in wait().
  class Awake {
   public:
    explicit Awake(int& count) : count_(++count) {}
    ~Awake() { --count_; }
    Awake(const Awake&) = delete;
    Awake& operator=(const Awake&) = delete;

   private:
    int& count_;
  };

  // In `busy_`, beside the bits of the pushers: the process has sent packets to itself; ranks outnumber cores; there
  // are transports without watches.
  static constexpr std::uint32_t kOwn = 1u << 31, kCrowded = 1u << 30, kBlind = 1u << 29;
  static constexpr std::uint32_t kNeverQuiet = kCrowded | kBlind;

  // A handler may give work to the pushers while the process's own packets are handed out, so that comes first.
  [[gnu::noinline]] bool push() {
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
    return moved;
  }

  template <class Done>
  bool spin(Done& done) {
    for (int look = 0, looks = parking_.spin_looks(); look < looks; ++look) {
      const bool go_on = give_way(look);
      if (poll() || done()) return true;
      if (!go_on) break;
    }
    return false;
  }

  bool give_way(int look) {
    lane_.unlock();
    const bool go_on = parking_.breathe(look);
    lane_.lock();
    return go_on;
  }

  bool park(Parking::Ticket ticket, Parking::Patience patience) {
    ++parked_;
    --awake_;
    lane_.unlock();
    const bool rung = parking_.park(ticket, patience);
    lane_.lock();
    ++awake_;
    --parked_;
    woken_.store(false, std::memory_order_relaxed);
    return rung;
  }

  transport::Dispatcher& dispatcher_;
  Parking& parking_;
  Lane& lane_;
  std::vector<transport::Transport*> transports_;
  transport::Transport* own_ = nullptr;
  std::vector<Pusher*> pushers_;
  transport::Watches watches_;
  const transport::Dispatcher* dispatcher_beside_ = nullptr;
  std::uint32_t busy_;
  int parked_ = 0;                     // threads of this process in park()
  int awake_ = 0;                      // threads in wait() that are not
  std::atomic<int> awake_beside_ = 0;  // threads in wait_beside()
  std::atomic<int> dozing_ = 0;        // those that have announced a sleep, or are parked
  std::atomic<bool> woken_ = false;    // parked ones have been rung for, and none has come back so far
};

}  // namespace antiphon::progress
