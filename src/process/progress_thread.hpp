// A thread that makes progress while the program computes (setting progress_thread): it carries out what other
// processes request by packets, and advances operations that the program has started. While there is nothing to do,
// it sleeps on the doorbell, as a waiting call does. While the program's own threads poll, it sleeps for fixed short
// times instead, so that senders need not ring the doorbell for it. Belongs to the Process, which is then initialized
// for several threads. Started and ended without holding the lane.
#pragma once

#include <atomic>
#include <thread>

#include "progress/progress.hpp"

namespace antiphon::process {

class ProgressThread {
 public:
  explicit ProgressThread(progress::Progress& progress);
  ~ProgressThread();
  ProgressThread(const ProgressThread&) = delete;
  ProgressThread& operator=(const ProgressThread&) = delete;

 private:
  void run() noexcept;

  progress::Progress& progress_;
  std::atomic<bool> is_over_ = false;
  std::thread thread_;
};

}  // namespace antiphon::process
