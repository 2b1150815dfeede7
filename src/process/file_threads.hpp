// The threads that read and write files while the program computes. Each starts when a task finds the others busy,
// and all end when the last file is closed. Owned by the host of the process. Signals go to the program's own
// threads.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include "engine/io/workers.hpp"

namespace antiphon::process {

class FileThreads final : public io::Workers {
 public:
  FileThreads() = default;
  ~FileThreads() override { rest(); }

  void add(io::Task& task) override;
  void rest() override;

 private:
  // More threads make a file system no faster.
  static constexpr std::size_t kMost = 4;

  void start_one();
  void run() noexcept;

  std::mutex mutex_;
  std::condition_variable more_;
  std::deque<io::Task*> tasks_;
  std::size_t idle_ = 0;
  bool is_over_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace antiphon::process
