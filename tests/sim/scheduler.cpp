#include "scheduler.hpp"

#include <algorithm>
#include <boost/context/fixedsize_stack.hpp>
#include <boost/context/preallocated.hpp>

namespace antiphon::sim {

namespace {
constexpr std::size_t kStackBytes = std::size_t{128} << 10;
}

// A fiber that never ended (a deadlock, or another fiber's failure) is kept for ever: to destroy it would unwind its
// stack, and the park() that it rests in does not let exceptions through. Nor may the end of the program do that.
Scheduler::~Scheduler() {
  static auto& abandoned = *new std::vector<std::unique_ptr<Fiber>>;
  for (std::unique_ptr<Fiber>& fiber : fibers_)
    if (!fiber->finished) abandoned.push_back(std::move(fiber));
}

int Scheduler::spawn(std::function<void()> body) {
  fibers_.push_back(std::make_unique<Fiber>());
  Fiber& fiber = *fibers_.back();
  fiber.body = std::move(body);
  boost::context::fixedsize_stack allocator(kStackBytes);
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
  return static_cast<int>(fibers_.size()) - 1;
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

bool Scheduler::run(const std::function<bool(bool)>& pass_time) {
  for (;;) {
    if (std::ranges::all_of(fibers_, [](const auto& fiber) { return fiber->finished; })) return true;
    runnable_.clear();
    for (std::size_t i = 0; i < fibers_.size(); ++i)
      if (fibers_[i]->runnable && !fibers_[i]->finished) runnable_.push_back(static_cast<int>(i));
    if (!pass_time(runnable_.empty())) return false;
    if (runnable_.empty()) continue;
    Fiber& next = *fibers_[static_cast<std::size_t>(rng_.pick(runnable_))];
    resume(next);
    if (next.failure) std::rethrow_exception(next.failure);
  }
}

void Scheduler::resume(Fiber& fiber) {
  running_ = &fiber;
  main_switch_.leave(fiber.stack);
  boost::context::fiber rested = std::move(fiber.context).resume();
  Stack left;
  main_switch_.enter(&left);
  running_ = nullptr;
  if (!fiber.finished) fiber.context = std::move(rested);
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

void Scheduler::make_runnable(int fiber) { fibers_[static_cast<std::size_t>(fiber)]->runnable = true; }

}  // namespace antiphon::sim
