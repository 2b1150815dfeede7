// The workers of a simulated process: whoever polls carries out their tasks, one in each poll. So what a real process
// leaves to threads happens here between other steps, and a seed replays it.
#pragma once

#include <deque>

#include "engine/io/workers.hpp"

namespace antiphon::sim {

class PollingWorkers final : public io::Workers {
 public:
  void add(io::Task& task) override { tasks_.push_back(&task); }
  bool help() override {
    if (tasks_.empty()) return false;
    io::Task& next = *tasks_.front();
    tasks_.pop_front();
    next.run();
    return true;
  }

 private:
  std::deque<io::Task*> tasks_;
};

}  // namespace antiphon::sim
