// A thread that makes things happen while the program computes (setting progress_thread): what others ask of this
// process by packets, and what its own calls have begun. It sleeps while there is nothing, on the doorbell, as a call
// that waits does; while the program's own threads look it only rests, so that senders do not ring for it. Belongs to
// the Process, which is brought up for many threads where there is one. Made and ended outside of the lane.
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
