// Runs fibers of one thread, one at a time; which of the runnable ones goes next is drawn from the seed. A fiber
// gives way only in yield() and block(), so what happens between two of them is atomic. Exceptions that a fiber is
// handling stay its own. Owned by a Cluster.
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
  static constexpr std::size_t kSmallStack = std::size_t{128} << 10;

  explicit Scheduler(std::uint64_t seed, std::size_t stack_bytes = kSmallStack)
      : rng_(seed), stack_bytes_(stack_bytes) {}
  ~Scheduler();
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  // The fiber's number: 0, 1, 2 ...
  int spawn(std::function<void()> body);

  // Who has to know which fiber runs: `enter(fiber)` is called before it goes on, `leave(fiber)` when it has given
  // way.
  using Switched = std::function<void(int fiber)>;
  void on_switch(Switched enter, Switched leave);

  // Runs until every fiber has ended, or one has called stop(). `pass_time(idle)` is called before each step; when
  // idle, no fiber can run, and if it then cannot make one runnable either it says false: a deadlock. Rethrows what a
  // fiber throws.
  enum class Ending { all_ended, stopped, deadlock };
  [[nodiscard]] Ending run(const std::function<bool(bool idle)>& pass_time);

  // From a fiber:
  void yield();                // stays runnable
  void block();                // until make_runnable(it)
  [[noreturn]] void vanish();  // ends here; nothing on its stack is destroyed
  void stop() { stopped_ = true; }
  [[nodiscard]] bool is_in_fiber() const { return running_ != nullptr; }
  [[nodiscard]] int current() const { return running_->number; }

  void make_runnable(int fiber);
  [[nodiscard]] bool finished(int fiber) const { return fibers_[static_cast<std::size_t>(fiber)]->finished; }

 private:
  // What the language's runtime knows about the exceptions of a thread (Itanium C++ ABI, 2.2.2).
  struct Exceptions {
    void* caught = nullptr;
    unsigned uncaught = 0;
  };
  struct Fiber {
    int number = 0;
    boost::context::fiber context;  // of the fiber while it rests, of run() while it runs
    Stack stack;
    StackSwitch stack_switch;
    std::function<void()> body;
    std::exception_ptr failure;
    Exceptions exceptions;
    bool runnable = true;
    bool finished = false;
    bool vanished = false;  // its body never returned
  };
  static void live(Fiber& fiber);
  void resume(Fiber& fiber);
  static void exchange_exceptions(Fiber& fiber);

  base::Rng rng_;
  std::size_t stack_bytes_;
  Switched enter_ = [](int) {};
  Switched leave_ = [](int) {};
  bool stopped_ = false;
  std::vector<std::unique_ptr<Fiber>> fibers_;
  std::vector<int> runnable_;  // scratch of run()
  Fiber* running_ = nullptr;
  Stack main_stack_ = Stack::of_this_thread();  // of run()
  StackSwitch main_switch_;
};

}  // namespace antiphon::sim
