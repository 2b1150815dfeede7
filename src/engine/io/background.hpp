// Work on files that goes on while the program computes. A worker carries a job out without the lane; progress
// notices its end and completes the job's request. Belongs to the Engines; the lane protects it, but for the list of
// jobs that workers have finished, which has a lock of its own.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "base/error.hpp"
#include "engine/io/workers.hpp"
#include "objects/file.hpp"
#include "objects/request.hpp"
#include "progress/progress.hpp"

namespace antiphon::io {

// Of a nonblocking operation on a file. Its errors happen on the file.
class FileRequest final : public objects::Request {
 public:
  explicit FileRequest(objects::File& file)
      : Request(Kind::file, file.comm_ref()), file_(objects::Ref<objects::File>::share(file)), name_(file.title()) {}

  [[nodiscard]] objects::Ref<objects::ErrorScope> scope() const override { return file_; }
  [[nodiscard]] base::WaitReason reason() const override { return {.communicator = name_.c_str()}; }

 private:
  objects::Ref<objects::File> file_;
  std::string name_;
};

using FileRequestRef = objects::Ref<FileRequest>;

class Background final : public progress::Pusher {
 public:
  Background(progress::Progress& progress, Workers& workers) : progress_(progress), workers_(workers) {
    progress.add(*this);
  }
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;
  // Workers may still be at work for requests that nobody has waited for.
  ~Background() override;

  // Lets a worker call work(), which returns the bytes that it has moved. The request is complete afterwards, and
  // tells these bytes, or the error that work() has thrown. The caller keeps what work() uses until then: `keep` is
  // destroyed with the lane held.
  void start(FileRequestRef request, std::function<std::int64_t()> work, std::shared_ptr<void> keep = {});
  // No file is open any more.
  void rest() { workers_.rest(); }

  bool push() override;
  [[nodiscard]] bool has_work() const noexcept override { return under_way_ != 0; }
  void fall_asleep() noexcept override { sleepers_.fetch_add(1, std::memory_order_seq_cst); }
  void wake_up() noexcept override { sleepers_.fetch_sub(1, std::memory_order_relaxed); }

 private:
  class Job;
  void finished(Job& job) noexcept;

  progress::Progress& progress_;
  Workers& workers_;
  int under_way_ = 0;
  std::mutex mutex_;
  std::vector<Job*> finished_;  // guarded by mutex_; there is room for all that are under way
  std::atomic<int> number_finished_ = 0;
  std::atomic<int> sleepers_ = 0;
};

}  // namespace antiphon::io
