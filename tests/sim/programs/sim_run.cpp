// Runs an MPI program in the simulator, seed by seed, each in a process of its own: so every run begins with the
// program as it was loaded, and one that crashes or never ends is a failure like others. Says what replays a failure.
#include <execinfo.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <stdexcept>

#include "programs/failing_memory.hpp"
#include "programs/options.hpp"
#include "programs/program_copies.hpp"
#include "programs/simulated_job.hpp"

namespace antiphon::sim {
namespace {

// A file in memory that a run writes to.
class Sheet {
 public:
  explicit Sheet(const char* name) : fd_(memfd_create(name, MFD_CLOEXEC)) {
    if (fd_ < 0) throw std::runtime_error(fmt::format("no memory for output: {}", std::strerror(errno)));
  }
  Sheet(Sheet&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  ~Sheet() {
    if (fd_ >= 0) close(fd_);
  }
  [[nodiscard]] int fd() const { return fd_; }
  [[nodiscard]] std::string take() {
    struct stat found {};
    fstat(fd_, &found);
    std::string text(static_cast<std::size_t>(found.st_size), '\0');
    if (pread(fd_, text.data(), text.size(), 0) < 0) text.clear();
    if (ftruncate(fd_, 0) != 0 || lseek(fd_, 0, SEEK_SET) != 0) throw std::runtime_error("a memfd cannot be emptied");
    return text;
  }

 private:
  int fd_;
};

void write_all(int fd, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t written = write(fd, text.data() + done, text.size() - done);
    if (written <= 0) return;
    done += static_cast<std::size_t>(written);
  }
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \n";
  const std::size_t first = std::min(text.find_first_not_of(kBlank), text.size());
  return text.substr(first, text.find_last_not_of(kBlank) + 1 - first);
}

// Who called, as addresses in the program.
void show_and_die(int signal) {
  void* callers[32];
  backtrace_symbols_fd(callers, backtrace(callers, 32), STDERR_FILENO);
  ::signal(signal, SIG_DFL);
  raise(signal);
}

class Runner {
 public:
  explicit Runner(Options options)
      : options_(std::move(options)),
        mains_(load_copies(options_.command.front(), *std::ranges::max_element(options_.ranks))) {
    void* const shared = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) throw std::runtime_error("no memory");
    shared_ = new (shared) Shared;
    for (std::size_t rank = 0; rank < mains_.size(); ++rank) outputs_.emplace_back("output");
  }

  // How many runs failed.
  int run_all() {
    int runs = 0, failures = 0;
    for (const int ranks : options_.ranks)
      for (std::uint64_t seed = options_.first_seed; seed <= options_.last_seed; ++seed) {
        for (std::uint64_t nth = first_failing(seed);; nth += options_.fail_each) {
          ++runs;
          if (!run(ranks, seed, nth)) ++failures;
          if (failures != 0 && !options_.keep_going) return failures;
          if (nth == 0 || options_.fail_nth != 0 || nth > shared_->memory.asked) break;
        }
      }
    fmt::print("sim_run: {} of {} runs failed\n", failures, runs);
    if (options_.memory_fails())
      fmt::print(
          "sim_run: {} of {} allocations failed; {} calls were made again; {} runs ended, as errors are fatal\n",
          failed_, asked_, again_, ended_);
    return failures;
  }

 private:
  struct Shared {
    int last_rank = 0;  // that ran
    FailingMemory::Seen memory;
  };

  // Seeds begin with different ones.
  [[nodiscard]] std::uint64_t first_failing(std::uint64_t seed) const {
    if (options_.fail_nth != 0) return options_.fail_nth;
    return options_.fail_each == 0 ? 0 : 1 + seed % options_.fail_each;
  }

  bool run(int ranks, std::uint64_t seed, std::uint64_t nth) {
    FailingMemory memory{.nth = nth,
                         .calls_to_fail = options_.fail_calls,
                         .shows = options_.fail_nth != 0 && options_.show_output,
                         .seen = &shared_->memory};
    shared_->memory = {};
    if (options_.memory_fails()) {
      failing_memory = &memory;
      let_memory_fail();
    }
    std::string verdict = options_.here ? simulate(ranks, seed) : simulate_apart(ranks, seed);
    failing_memory = nullptr;
    count(shared_->memory);
    if (shared_->memory.ended) verdict.clear();
    std::string together;
    std::vector<std::string> printed;
    for (int rank = 0; rank < ranks; ++rank) {
      printed.push_back(outputs_[static_cast<std::size_t>(rank)].take());
      together += printed.back();
    }
    const std::string rest = loose_.take();
    if (verdict.empty() && !shared_->memory.ended && options_.expected &&
        trimmed(together) != trimmed(*options_.expected))
      verdict = "the output is another one than expected\n";
    if (!verdict.empty()) fmt::print("sim_run: {} ranks, seed {}: {}", ranks, seed, verdict);
    if (!verdict.empty() || options_.show_output) {
      for (int rank = 0; rank < ranks; ++rank)
        if (const std::string& text = printed[static_cast<std::size_t>(rank)]; !text.empty())
          fmt::print("---- rank {} printed\n{}", rank, text);
      if (!rest.empty()) fmt::print("---- the library printed\n{}", rest);
    }
    if (!verdict.empty()) fmt::print("---- to replay: {}\n", options_.replay(ranks, seed, nth));
    std::fflush(stdout);
    return verdict.empty();
  }

  void count(const FailingMemory::Seen& seen) {
    asked_ += seen.asked;
    failed_ += seen.failed;
    again_ += seen.calls_again;
    if (seen.ended) ++ended_;
  }

  std::string simulate(int ranks, std::uint64_t seed) {
    std::vector<int> outputs;
    for (int rank = 0; rank < ranks; ++rank) outputs.push_back(outputs_[static_cast<std::size_t>(rank)].fd());
    SimulatedJob job({ranks, options_.conditions_of(seed), options_.nodes_of(ranks, seed), seed, std::move(outputs),
                      shared_->last_rank});
    return job.run([&](int rank) {
      std::vector<std::string> words = options_.command;
      std::vector<char*> argv;
      for (std::string& word : words) argv.push_back(word.data());
      argv.push_back(nullptr);
      return mains_[static_cast<std::size_t>(rank)](static_cast<int>(words.size()), argv.data(), environ);
    });
  }

  std::string simulate_apart(int ranks, std::uint64_t seed) {
    std::fflush(stdout);
    const pid_t child = fork();
    if (child < 0) throw std::runtime_error(fmt::format("fork: {}", std::strerror(errno)));
    if (child == 0) {
      dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
      dup2(loose_.fd(), STDOUT_FILENO);
      dup2(loose_.fd(), STDERR_FILENO);
      alarm(options_.timeout);
      if (options_.show_output) signal(SIGSEGV, show_and_die), signal(SIGABRT, show_and_die);
      write_all(verdict_.fd(), simulate(ranks, seed));
      std::fflush(nullptr);
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    std::string verdict = verdict_.take();
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
      verdict = fmt::format("still running after {} s, at last rank {}\n", options_.timeout, shared_->last_rank);
    else if (WIFSIGNALED(status))
      verdict = fmt::format("rank {} died of signal {} ({})\n", shared_->last_rank, WTERMSIG(status),
                            strsignal(WTERMSIG(status)));
    else if (WEXITSTATUS(status) != 0)
      verdict = fmt::format("ended with status {}\n", WEXITSTATUS(status));
    return verdict;
  }

  Options options_;
  std::vector<Main> mains_;
  Shared* shared_;  // with the child
  std::uint64_t asked_ = 0, failed_ = 0, again_ = 0, ended_ = 0;

  std::vector<Sheet> outputs_;
  Sheet verdict_{"verdict"}, loose_{"output of the library"};
};

}  // namespace
}  // namespace antiphon::sim

int main(int argc, char** argv) {
  setenv("SIM_RUN", "1", 1);  // for programs that do less where packets are small
  try {
    return antiphon::sim::Runner(antiphon::sim::parse_options(argc, argv)).run_all() == 0 ? 0 : 1;
  } catch (const std::invalid_argument& wrong) {
    fmt::print(stderr, "sim_run: {}\n{}", wrong.what(), antiphon::sim::kUsage);
  } catch (const std::exception& wrong) {
    fmt::print(stderr, "sim_run: {}\n", wrong.what());
  }
  return 2;
}
