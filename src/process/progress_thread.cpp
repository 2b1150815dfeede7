#include "process/progress_thread.hpp"

#include <chrono>
#include <csignal>
#include <exception>
#include <mutex>

#include "base/error.hpp"

namespace antiphon::process {

namespace {
// So long others may have to wait when the program has just begun to compute.
constexpr std::chrono::microseconds kRest{100};
}  // namespace

// The program's signals are for its own threads.
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

// A failure is for a thread that has a way to tell of it: what failed is still there, for the next call.
void ProgressThread::run() noexcept {
  progress::Lane& lane = progress_.lane();
  lane.lock(progress::Lane::Thread::of_library);
  const std::lock_guard held(lane, std::adopt_lock);
  try {
    progress_.serve([this] { return is_over_.load(); }, [] { std::this_thread::sleep_for(kRest); });
  } catch (const std::exception&) {
  } catch (const base::Error&) {
  }
}

}  // namespace antiphon::process
