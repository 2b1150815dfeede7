#include "bootstrap/native.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/error.hpp"
#include "bootstrap/error_class.hpp"
#include "bootstrap/foreign.hpp"
#include "bootstrap/job_descriptor.hpp"

namespace antiphon::bootstrap {
namespace {

bool is_alive(pid_t pid) { return kill(pid, 0) == 0 || errno == EPERM; }

void claim(RankSlot& slot, int rank) {
  std::int32_t owner = 0;
  if (slot.pid.compare_exchange_strong(owner, getpid())) return;
  if (is_alive(owner)) {
    base::fail(kErrOther,
               fmt::format("rank {} of this job is process {} already; process {} inherited its environment. Start a "
                           "job of its own by mpiexec, or set {}=1 for it",
                           rank, owner, getpid(), kSingletonVariable));
  }
  base::fail(kErrOther, fmt::format("rank {} of this job was process {}, which has ended: one mpiexec runs one MPI "
                                    "program a rank, so start the next program by an mpiexec of its own",
                                    rank, owner));
}

// The rank, where it is one and nobody else is it.
int claimed(const NodeSegment& node, int rank) {
  const auto size = static_cast<int>(node.header().world_size);
  if (rank < 0 || rank >= size) {
    base::fail(kErrOther, fmt::format("{}={} is not a rank of this job of {} (valid: 0 to {})", kRankVariable, rank,
                                      size, size - 1));
  }
  const Place place = node.place(static_cast<std::uint32_t>(rank));
  if (place.node != static_cast<std::int32_t>(node.header().node)) {
    base::fail(kErrOther, fmt::format("{}={} runs on node {} of this job, and this is node {}", kRankVariable, rank,
                                      place.node, node.header().node));
  }
  claim(node.slot(static_cast<std::uint32_t>(place.rank_on_node)), rank);
  return rank;
}

}  // namespace

std::unique_ptr<NodeSegment> Native::attach(int fd) {
  const int job_fd = find_job_descriptor(fd);
  if (job_fd < 0) {
    base::fail(kErrOther,
               fmt::format("{}={} is an open descriptor neither here nor in any parent of this process: it "
                           "was started in a way that cuts it off from its mpiexec",
                           kJobFdVariable, fd));
  }
  return std::make_unique<NodeSegment>(NodeSegment::attach(job_fd));
}

Native::Native(NodeSegment& node, int rank) : NodeJob(node, claimed(node, rank)) {}

void Native::abort(int code, std::string_view text) {
  Header& job = node().header();
  std::uint32_t none = 0;
  // Only the first to abort is heard; mpiexec ends the others.
  if (job.abort_state.compare_exchange_strong(none, 1)) {
    job.abort_rank = place_of(rank()).rank_on_node;
    job.abort_code = code;
    const std::size_t length = std::min(text.size(), sizeof job.abort_text - 1);
    std::memcpy(job.abort_text, text.data(), length);
    job.abort_text[length] = '\0';
    job.abort_state.store(2, std::memory_order_release);
  }
  // What the program has printed so far is often why it aborts. Should a lock of stdio be held by a thread that will
  // never give it back, mpiexec has seen abort_state within a second and ends this process.
  std::fflush(nullptr);
  _exit(exit_status_of_abort(code));
}

}  // namespace antiphon::bootstrap
