// Runs fibers of one thread, one at a time; which of the runnable ones goes next is drawn from the seed. A fiber
// gives way only in yield() and block(), so what happens between two of them is atomic. Owned by the World of one
// test.
#pragma once

#include <boost/context/fiber.hpp>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <vector>

#include "base/rng.hpp"
#include "stack_switch.hpp"

namespace antiphon::sim {

class Scheduler {
 public:
  explicit Scheduler(std::uint64_t seed) : rng_(seed) {}
  ~Scheduler();

  // The fiber's number: 0, 1, 2 ...
  int spawn(std::function<void()> body);

  // Runs until every fiber has returned: true. `pass_time(idle)` is called before each step; when idle, no fiber can
  // run, and if it then cannot make one runnable either it says false: run() ends with false, a deadlock.
  // Rethrows what a fiber throws.
  [[nodiscard]] bool run(const std::function<bool(bool idle)>& pass_time);

  void yield();  // from a fiber: stays runnable
  void block();  // from a fiber: until make_runnable(it)
  void make_runnable(int fiber);
  [[nodiscard]] bool finished(int fiber) const { return fibers_[static_cast<std::size_t>(fiber)]->finished; }

 private:
  struct Fiber {
    boost::context::fiber context;  // of the fiber while it rests, of run() while it runs
    Stack stack;
    StackSwitch stack_switch;
    std::function<void()> body;
    std::exception_ptr failure;
    bool runnable = true;
    bool finished = false;
  };
  static void live(Fiber& fiber);
  void resume(Fiber& fiber);

  base::Rng rng_;
  std::vector<std::unique_ptr<Fiber>> fibers_;
  std::vector<int> runnable_;  // scratch of run()
  Fiber* running_ = nullptr;
  Stack main_stack_ = Stack::of_this_thread();  // of run()
  StackSwitch main_switch_;
};

}  // namespace antiphon::sim
