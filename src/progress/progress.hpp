// Makes things happen: polls the transports, lets engines push what back-pressure held up, and waits. One for each
// lane; belongs to the Process; only the thread that holds the lane calls it. wait() and look() give the lane up
// meanwhile, so that other threads have their turn.
#pragma once

#include <vector>

#include "progress/lane.hpp"
#include "progress/parking.hpp"
#include "transport/channel.hpp"

namespace antiphon::progress {

// An engine with work of its own between packets.
class Pusher {
 public:
  virtual ~Pusher() = default;
  virtual bool push() = 0;  // true if something moved
  [[nodiscard]] virtual bool has_work() const noexcept = 0;
};

class Progress {
 public:
  Progress(transport::Dispatcher& dispatcher, Parking& parking, Lane& lane)
      : dispatcher_(dispatcher), parking_(parking), lane_(lane) {}

  void add(transport::Transport& transport) { transports_.push_back(&transport); }
  void add(Pusher& pusher) { pushers_.push_back(&pusher); }

  // One look at everything; true if something moved.
  bool poll() {
    bool moved = false;
    for (transport::Transport* transport : transports_) moved |= transport->poll(dispatcher_);
    for (Pusher* pusher : pushers_)
      if (pusher->has_work()) [[unlikely]]
        moved |= pusher->push();
    if (moved) wake_other_threads();
    return moved;
  }

  // For those of this process that sleep: something happened that no other process will ring for.
  void wake_other_threads() {
    if (parked_ == 0) [[likely]]
      return;
    parking_.wake_own_threads();
    woken_ = true;
  }

  // Whether done() holds, after a poll if that is needed: MPI_Test, MPI_Iprobe and their kin. Programs call those in
  // loops. So one in vain gives way to whoever may need this very core to bring about what is asked for: a thread of
  // this process that waits too, or, where ranks outnumber cores, another rank.
  template <class Done>
  bool look(Done&& done) {
    if (done()) return true;
    poll();
    if (done()) return true;
    if (awake_ != 0 || woken_ || parking_.crowded()) [[unlikely]]
      give_way(0);
    return false;
  }

  // Progresses everything until done() holds: spins briefly, then sleeps. `reason()` is asked only before a sleep.
  template <class Done, class Reason>
  void wait(Done&& done, Reason&& reason) {
    const Awake counted(awake_);
    while (!done()) {
      if (poll() || spin(done)) continue;
      const Parking::Ticket ticket = parking_.announce(reason());
      const auto nothing = [&] { return !poll() && !done(); };
      if (nothing() && !park(ticket, Parking::Patience::brief) && nothing()) park(ticket, Parking::Patience::endless);
      parking_.retract();
    }
  }

 private:
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
    woken_ = false;
    return rung;
  }

  transport::Dispatcher& dispatcher_;
  Parking& parking_;
  Lane& lane_;
  std::vector<transport::Transport*> transports_;
  std::vector<Pusher*> pushers_;
  int parked_ = 0;      // threads of this process in park()
  int awake_ = 0;       // threads in wait() that are not
  bool woken_ = false;  // parked ones have been rung for, and none has come back so far
};

}  // namespace antiphon::progress
