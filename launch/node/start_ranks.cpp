#include "node/start_ranks.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "common/failure.hpp"
#include "node/environment.hpp"

namespace antiphon::launch {
namespace {

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

// The standard input of all ranks but rank 0: an empty file. If there is no /dev/null, a pipe without a writer.
int open_nothing() {
  const int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
  int ends[2];
  if (fd >= 0 || pipe2(ends, O_CLOEXEC) != 0) return fd;
  close(ends[1]);
  return ends[0];
}

class Starter {
 public:
  Starter(const StartContext& context, StartReports& reports, RankTable& ranks)
      : context_(context), reports_(reports), ranks_(ranks), nothing_(open_nothing()) {
    getrlimit(RLIMIT_NOFILE, &descriptors_);
    permit_all_descriptors();
  }
  ~Starter() { close(nothing_); }
  Starter(const Starter&) = delete;
  Starter& operator=(const Starter&) = delete;

  void start_all() {
    for (std::size_t app = 0; app < context_.job.apps.size(); ++app) start_app(app);
    reports_.close_writing_end();
  }

 private:
  // mpiexec needs one or two descriptors for each rank, so it raises its own limit; ranks get the original limit.
  void permit_all_descriptors() const {
    const rlimit most{.rlim_cur = descriptors_.rlim_max, .rlim_max = descriptors_.rlim_max};
    setrlimit(RLIMIT_NOFILE, &most);
  }

  void start_app(std::size_t appnum) {
    App app = context_.job.apps[appnum];
    RankEnvironment environment(context_.job, app, context_.segment.fd());
    const std::vector<char*> arguments = pointers_to(app.command);
    for (std::size_t on_node = 0; on_node < context_.plan.ranks.size(); ++on_node) {
      const PlannedRank& rank = context_.plan.ranks[on_node];
      if (rank.app != appnum) continue;
      const std::vector<int>& cpus = context_.plan.binding[on_node];
      bootstrap::RankSlot& slot = context_.segment.slot(static_cast<std::uint32_t>(on_node));
      slot.world_rank = rank.world_rank;
      slot.appnum = static_cast<std::int32_t>(appnum);
      slot.bound_cpu_count = static_cast<std::int32_t>(cpus.size());
      start({.rank = rank.world_rank,
             .path = context_.plan.programs[appnum].c_str(),
             .arguments = arguments.data(),
             .environment = environment.for_rank(rank.world_rank),
             .working_directory = app.working_directory.empty() ? nullptr : app.working_directory.c_str(),
             .job_fd = context_.segment.fd(),
             .input_fd = rank.world_rank == 0 ? context_.input_fd : nothing_,
             .output_fd = STDOUT_FILENO,
             .error_fd = STDERR_FILENO,
             .descriptors = descriptors_,
             .cpus = cpus,
             .signal_mask = context_.signal_mask});
    }
  }

  void start(RankStart rank) {
    const RankStreams::Ends ends = context_.streams.open_for(rank.rank);
    rank.output_fd = ends.output_fd;
    rank.error_fd = ends.error_fd;
    const pid_t pid = start_rank(rank, reports_);
    RankStreams::close_ends(ends);
    if (pid < 0) {
      throw Failure{kExitFailure,
                    fmt::format("cannot start rank {} of {}: fork: {} (ulimit -u, pids of the container?)", rank.rank,
                                context_.job.ranks(), std::strerror(errno))};
    }
    ranks_.add(pid);
  }

  const StartContext& context_;
  StartReports& reports_;
  RankTable& ranks_;
  int nothing_;
  rlimit descriptors_{};
};

}  // namespace

void start_ranks(const StartContext& context, StartReports& reports, RankTable& ranks) {
  Starter(context, reports, ranks).start_all();
}

}  // namespace antiphon::launch
