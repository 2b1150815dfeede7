// Makes things happen: polls the transports, lets engines push what back-pressure held up, and waits. One for each
// lane; belongs to the Process; only the thread that holds the lane calls it.
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
    if (parked_ != 0) [[unlikely]]
      parking_.wake_own_threads();
  }

  // Progresses everything until done() holds: spins briefly, then sleeps. `reason()` is asked only before a sleep.
  template <class Done, class Reason>
  void wait(Done&& done, Reason&& reason) {
    while (!done()) {
      if (poll() || spin(done)) continue;
      const Parking::Ticket ticket = parking_.announce(reason());
      if (!poll() && !done()) park(ticket);
      parking_.retract();
    }
  }

 private:
  template <class Done>
  bool spin(Done& done) {
    for (int look = 0, looks = parking_.spin_looks(); look < looks; ++look) {
      lane_.unlock();
      parking_.breathe(look);
      lane_.lock();
      if (poll() || done()) return true;
    }
    return false;
  }

  void park(Parking::Ticket ticket) {
    ++parked_;
    lane_.unlock();
    parking_.park(ticket);
    lane_.lock();
    --parked_;
  }

  transport::Dispatcher& dispatcher_;
  Parking& parking_;
  Lane& lane_;
  std::vector<transport::Transport*> transports_;
  std::vector<Pusher*> pushers_;
  int parked_ = 0;  // threads of this process in park()
};

}  // namespace antiphon::progress
