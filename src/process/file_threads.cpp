#include "process/file_threads.hpp"

#include <csignal>
#include <system_error>

namespace antiphon::process {

// Where the system gives no first thread, the task is carried out at once.
void FileThreads::add(io::Task& task) {
  {
    const std::lock_guard lock(mutex_);
    if (idle_ <= tasks_.size() && threads_.size() < kMost) start_one();
    if (!threads_.empty()) {
      tasks_.push_back(&task);
      more_.notify_one();
      return;
    }
  }
  task.run();
}

void FileThreads::start_one() {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    threads_.emplace_back([this] { run(); });
  } catch (const std::system_error&) {
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void FileThreads::run() noexcept {
  std::unique_lock lock(mutex_);
  while (true) {
    ++idle_;
    more_.wait(lock, [this] { return is_over_ || !tasks_.empty(); });
    --idle_;
    if (tasks_.empty()) return;
    io::Task& next = *tasks_.front();
    tasks_.pop_front();
    lock.unlock();
    next.run();
    lock.lock();
  }
}

void FileThreads::rest() {
  std::vector<std::thread> ending;
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
    ending.swap(threads_);
  }
  more_.notify_all();
  for (std::thread& thread : ending) thread.join();
  is_over_ = false;
}

}  // namespace antiphon::process
