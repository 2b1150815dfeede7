// A rank without the library: joins the job through the bootstrap and then behaves as its arguments say, so that
// mpiexec is tested by itself.
//   fake_rank sleep SECONDS            never joins
//   fake_rank init                     joins, leaves without MPI_Finalize
//   fake_rank join-and-sleep SECONDS   joins, sleeps outside MPI, finalizes
//   fake_rank finalize [STATUS]        joins, finalizes, and exits with STATUS
//   fake_rank wait-for PEER...         rank i sleeps in MPI waiting for the i-th PEER:
//                                      - any, ! it finalizes instead, . it computes instead
//   fake_rank abort RANK CODE          RANK aborts the job, the others sleep
//   fake_rank show                     prints what the bootstrap found
#include <fmt/format.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "bootstrap/bootstrap.hpp"

namespace {

using namespace antiphon;

std::unique_ptr<bootstrap::Bootstrap> join() {
  auto job = bootstrap::discover(bootstrap::process_environment());
  job->my_slot().state.store(bootstrap::RankState::initialized);
  return job;
}

void finalize(bootstrap::Bootstrap& job) { job.my_slot().state.store(bootstrap::RankState::finalized); }

[[noreturn]] void compute_forever() {
  for (std::atomic<unsigned long> work{0};; work.fetch_add(1, std::memory_order_relaxed)) {
  }
}

[[noreturn]] void sleep_forever() {
  while (true) pause();
}

void wait_in_mpi(bootstrap::RankSlot& slot, int peer) {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  slot.wait_version.fetch_add(1);
  slot.wait = {.call = "MPI_Recv",
               .communicator = "MPI_COMM_WORLD",
               .peer = peer,
               .tag = 7,
               .bytes = 64,
               .since_ns = static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000U};
  slot.wait_version.fetch_add(1);
  slot.sleeps.fetch_add(1);
  slot.sleeping.store(1);
  sleep_forever();
}

int run(const std::vector<std::string>& words) {
  const std::string& what = words.at(0);
  if (what == "sleep") {
    sleep(static_cast<unsigned>(std::stoi(words.at(1))));
    return 0;
  }
  const auto job = join();
  if (what == "join-and-sleep") sleep(static_cast<unsigned>(std::stoi(words.at(1))));
  if (what == "finalize" || what == "join-and-sleep") finalize(*job);
  if (what == "wait-for") {
    const std::string& peer = words.at(1 + static_cast<std::size_t>(job->rank()));
    if (peer == ".") compute_forever();
    if (peer == "!") {
      finalize(*job);
      return 0;
    }
    wait_in_mpi(job->my_slot(), peer == "-" ? bootstrap::WaitNote::kAnyPeer : std::stoi(peer));
  }
  if (what == "abort") {
    if (job->rank() == std::stoi(words.at(1))) job->abort(std::stoi(words.at(2)), "as the test wants");
    sleep_forever();
  }
  if (what == "show") {
    fmt::print("rank={} size={} app={} apps={} cpus={} oversubscribed={} bound={}\n", job->rank(), job->size(),
               job->my_slot().appnum, job->header().apps, job->header().usable_cpus, job->header().oversubscribed,
               job->my_slot().bound_cpu_count);
    finalize(*job);
  }
  if (what == "finalize" && words.size() > 1) return std::stoi(words[1]);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(std::vector<std::string>(argv + 1, argv + argc));
  } catch (const antiphon::base::Error& error) {
    fmt::print(stderr, "{}\n", error.message);
    return 1;
  }
}
