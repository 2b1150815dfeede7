#include "progress/progress.hpp"

#include "abi/constants.hpp"

namespace antiphon::progress {

namespace {
// Each takes about a millisecond.
constexpr int kMostFruitlessWaits = 10'000;
}  // namespace

void Progress::wait(const objects::Request& request) {
  wait([&] { return request.done(); }, [&] { return request.reason(); });
}

// In a catch clause. What is not for want of memory would come again with every look.
void Progress::survive() {
  base::Error error{abi::ERR_INTERN, "a function threw an unknown exception in the middle of progress"};
  try {
    throw;
  } catch (const std::bad_alloc&) {
    lacks_memory();
    return note_lack();
  } catch (base::Error& known) {
    error = std::move(known);
  } catch (const std::exception& unexpected) {
    error.message = unexpected.what();
  } catch (...) {
  }
  give_up(error);
}

void Progress::count_fruitless_wait() {
  if (++fruitless_waits_ < kMostFruitlessWaits) return;
  give_up({abi::ERR_NO_MEM,
           "out of memory, for seconds, for what has begun already: other processes, or the program's own requests, "
           "wait for it, so the job cannot go on"});
}

void Progress::give_up_collective() {
  give_up({abi::ERR_NO_MEM, "out of memory in the middle of a collective: the other processes wait for this one"});
}

void Progress::give_up(const base::Error& error) {
  if (give_up_) give_up_(error);
  throw base::Error(error);
}

void Progress::wait_for_memory() {
  count_fruitless_wait();
  const Announced announced(*this, {.communicator = "memory"}, Lane::Thread::of_program);
  lane_.unlock();
  (void)parking_.park(announced.ticket(), Parking::Patience::a_moment);
  lane_.lock();
}

}  // namespace antiphon::progress
