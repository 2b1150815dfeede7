#include "engine/io/background.hpp"

#include <new>
#include <optional>
#include <thread>

namespace antiphon::io {

class Background::Job final : public Task {
 public:
  Job(Background& background, FileRequestRef request, std::function<std::int64_t()> work, std::shared_ptr<void> keep)
      : background_(background), request_(std::move(request)), work_(std::move(work)), keep_(std::move(keep)) {}

  void run() noexcept override {
    try {
      bytes_ = work_();
    } catch (base::Error& error) {
      failure_ = std::move(error);
    } catch (const std::bad_alloc&) {
      failure_ = base::Error{abi::ERR_NO_MEM, "out of memory"};
    }
    background_.finished(*this);
  }
  void conclude() {
    request_->outcome.bytes = bytes_;
    if (failure_) request_->fail(failure_->error_class, std::move(failure_->message));
    request_->complete();
  }

 private:
  Background& background_;
  FileRequestRef request_;
  std::function<std::int64_t()> work_;
  std::shared_ptr<void> keep_;
  std::int64_t bytes_ = 0;
  std::optional<base::Error> failure_;
};

Background::~Background() {
  while (under_way_ != 0)
    if (!push()) std::this_thread::yield();
  workers_.rest();  // they look at this object once more after their last job
}

void Background::start(FileRequestRef request, std::function<std::int64_t()> work, std::shared_ptr<void> keep) {
  auto job = std::make_unique<Job>(*this, std::move(request), std::move(work), std::move(keep));
  {
    const std::lock_guard lock(mutex_);
    finished_.reserve(static_cast<std::size_t>(under_way_) + 1);
  }
  ++under_way_;
  has_begun();
  workers_.add(*job.release());
}

// A thread that is about to sleep counts itself before its last look; a worker looks for sleepers after it has told
// what it finished. So one of them sees the other.
void Background::finished(Job& job) noexcept {
  {
    const std::lock_guard lock(mutex_);
    finished_.push_back(&job);
    number_finished_.fetch_add(1, std::memory_order_seq_cst);
  }
  if (sleepers_.load(std::memory_order_seq_cst) != 0) progress_.wake_all();
}

bool Background::push() {
  const bool helped = workers_.help();
  if (number_finished_.load(std::memory_order_seq_cst) == 0) return helped;
  std::vector<Job*> over;
  {
    const std::lock_guard lock(mutex_);
    over.swap(finished_);
    number_finished_.store(0, std::memory_order_relaxed);
    finished_.reserve(static_cast<std::size_t>(under_way_) - over.size());
  }
  for (Job* const job : over) {
    job->conclude();
    delete job;
    --under_way_;
  }
  return true;
}

}  // namespace antiphon::io
