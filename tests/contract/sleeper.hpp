// One thread's end of a pair of shared-memory transports, with the sleep of a real process, and no spinning: every
// wait announces, looks, parks, looks again, parks for good and retracts, as progress::Progress does, so the window
// in which a wake-up could be lost is entered each time.
#pragma once

#include "process/doorbell_parking.hpp"
#include "shm_ends.hpp"

namespace antiphon::contract {

enum class Fence { asymmetric, full };

class Sleeper {
 public:
  Sleeper(ShmEnds& ends, int which, Fence fence) : transport_(ends.end(which)) {
    job_.size = 2;
    job_.oversubscribed = fence == Fence::full ? 1 : 0;
    parking_ = std::make_unique<process::DoorbellParking>(job_, ends.slot(which), call_, lane_, settings_, counters_);
  }

  // Until done() holds; polls with `dispatcher`.
  template <class Done>
  void wait(const transport::Dispatcher& dispatcher, Done&& done) {
    while (!done()) {
      if (transport_.poll(dispatcher)) continue;
      const progress::Parking::Ticket ticket = parking_->announce({});
      const auto nothing = [&] { return !transport_.poll(dispatcher) && !done(); };
      if (nothing() && !parking_->park(ticket, progress::Parking::Patience::brief) && nothing())
        parking_->park(ticket, progress::Parking::Patience::endless);
      parking_->retract();
    }
  }

 private:
  transport::Transport& transport_;
  bootstrap::Header job_{};
  settings::Values settings_;
  counters::Counters counters_;
  progress::CallContext call_;
  progress::Lane lane_{false};
  std::unique_ptr<process::DoorbellParking> parking_;
};

}  // namespace antiphon::contract
