#include "scheduler.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <boost/context/preallocated.hpp>
#include <boost/context/protected_fixedsize_stack.hpp>
#include <cstdlib>
#include <cstring>

namespace antiphon::sim {

// A fiber whose body never returned (a deadlock, another fiber's failure, its own wish) is kept for ever: to destroy
// it would unwind its stack, and the park() that it rests in does not let exceptions through. Nor may the end of the
// program do that.
Scheduler::~Scheduler() {
  static auto& abandoned = *new std::vector<std::unique_ptr<Fiber>>;
  for (std::unique_ptr<Fiber>& fiber : fibers_) {
    if (fiber->finished && !fiber->vanished) continue;
    fiber->stack.abandon();
    abandoned.push_back(std::move(fiber));
  }
}

int Scheduler::spawn(std::function<void()> body) {
  fibers_.push_back(std::make_unique<Fiber>());
  Fiber& fiber = *fibers_.back();
  fiber.number = static_cast<int>(fibers_.size()) - 1;
  fiber.body = std::move(body);
  boost::context::protected_fixedsize_stack allocator(stack_bytes_);
  const boost::context::stack_context stack = allocator.allocate();
  fiber.stack = Stack::of_new_fiber(static_cast<std::byte*>(stack.sp) - stack.size, stack.size);
  fiber.context = boost::context::fiber(std::allocator_arg, boost::context::preallocated(stack.sp, stack.size, stack),
                                        allocator, [this, &fiber](boost::context::fiber&& caller) {
                                          fiber.context = std::move(caller);
                                          fiber.stack_switch.enter(&main_stack_);
                                          live(fiber);
                                          StackSwitch::leave_for_good(main_stack_);
                                          return std::move(fiber.context);
                                        });
  return fiber.number;
}

void Scheduler::live(Fiber& fiber) {
  try {
    fiber.body();
  } catch (const boost::context::detail::forced_unwind&) {
    throw;
  } catch (...) {
    fiber.failure = std::current_exception();
  }
  fiber.finished = true;
}

void Scheduler::on_switch(Switched enter, Switched leave) {
  enter_ = std::move(enter);
  leave_ = std::move(leave);
}

Scheduler::Ending Scheduler::run(const std::function<bool(bool)>& pass_time) {
  for (;;) {
    if (std::ranges::all_of(fibers_, [](const auto& fiber) { return fiber->finished; })) return Ending::all_ended;
    runnable_.clear();
    for (const auto& fiber : fibers_)
      if (fiber->runnable && !fiber->finished) runnable_.push_back(fiber->number);
    if (!pass_time(runnable_.empty())) return Ending::deadlock;
    if (runnable_.empty()) continue;
    Fiber& next = *fibers_[static_cast<std::size_t>(rng_.pick(runnable_))];
    resume(next);
    if (next.failure) std::rethrow_exception(next.failure);
    if (stopped_) return Ending::stopped;
  }
}

void Scheduler::resume(Fiber& fiber) {
  exchange_exceptions(fiber);
  enter_(fiber.number);
  running_ = &fiber;
  main_switch_.leave(fiber.stack);
  boost::context::fiber rested = std::move(fiber.context).resume();
  Stack left;
  main_switch_.enter(&left);
  running_ = nullptr;
  leave_(fiber.number);
  exchange_exceptions(fiber);
  fiber.context = std::move(rested);
}

void Scheduler::exchange_exceptions(Fiber& fiber) {
  abi::__cxa_eh_globals* const of_thread = abi::__cxa_get_globals();
  const Exceptions rested = fiber.exceptions;
  std::memcpy(static_cast<void*>(&fiber.exceptions), of_thread, sizeof fiber.exceptions);
  std::memcpy(of_thread, &rested, sizeof rested);
}

void Scheduler::yield() {
  Fiber& self = *running_;
  self.stack_switch.leave(main_stack_);
  boost::context::fiber caller = std::move(self.context).resume();
  self.stack_switch.enter(&main_stack_);
  self.context = std::move(caller);
}

void Scheduler::block() {
  running_->runnable = false;
  yield();
}

void Scheduler::vanish() {
  running_->finished = running_->vanished = true;
  yield();
  std::abort();
}

void Scheduler::make_runnable(int fiber) { fibers_[static_cast<std::size_t>(fiber)]->runnable = true; }

}  // namespace antiphon::sim
