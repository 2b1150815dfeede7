#include "process/progress_thread.hpp"

#include <chrono>
#include <csignal>
#include <mutex>

namespace antiphon::process {

namespace {
// The longest time that other processes wait for an answer when the program has just begun to compute.
constexpr std::chrono::microseconds kRest{100};
}  // namespace

// The thread blocks all signals, so that the program's own threads get them.
ProgressThread::ProgressThread(progress::Progress& progress) : progress_(progress) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::thread([this] { run(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

ProgressThread::~ProgressThread() {
  is_over_ = true;
  progress_.wake_all();
  thread_.join();
}

void ProgressThread::run() noexcept {
  progress::Lane& lane = progress_.lane();
  lane.lock(progress::Lane::Thread::of_library);
  const std::lock_guard held(lane, std::adopt_lock);
  progress_.serve([this] { return is_over_.load(); }, [] { std::this_thread::sleep_for(kRest); });
}

}  // namespace antiphon::process
