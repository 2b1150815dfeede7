// A rank without the library: joins the job through the bootstrap and then behaves as its arguments say, so that
// mpiexec is tested by itself.
//   fake_rank sleep SECONDS            never joins
//   fake_rank init                     joins, leaves without MPI_Finalize
//   fake_rank join-and-sleep SECONDS   joins, sleeps outside MPI, finalizes
//   fake_rank fail-to-finalize         joins, and exits after its MPI_Finalize failed
//   fake_rank finalize [STATUS]        joins, finalizes, and exits with STATUS
//   fake_rank wait-for PEER...         rank i sleeps in MPI waiting for the i-th PEER:
//                                      - any, ! it finalizes instead, . it computes instead
//   fake_rank stop-and-finish          joins; rank 1 stops itself by SIGSTOP while it waits in MPI, and finalizes
//   when
//                                      it is continued; the others wait for it in MPI, and finalize then
//   fake_rank abort RANK CODE          RANK aborts the job, the others sleep
//   fake_rank start COMMAND            joins, has the shell run COMMAND, and finalizes
//   fake_rank exchange                 lets the others know something, several times, and finds what they have put
//   fake_rank show                     prints what the bootstrap found
//   fake_rank settings NAME...         joins, and prints the values of these settings
#include <fmt/format.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "bootstrap/bootstrap.hpp"
#include "settings/given.hpp"
#include "settings/text.hpp"

namespace {

using namespace antiphon;

bootstrap::Bootstrap join() {
  settings::Values alone;
  settings::apply(settings::given_by(environ), alone);
  bootstrap::Bootstrap found = bootstrap::discover(bootstrap::process_environment(), alone);
  found.job->enter();
  return found;
}

[[noreturn]] void compute_forever() {
  for (std::atomic<unsigned long> work{0};; work.fetch_add(1, std::memory_order_relaxed)) {
  }
}

[[noreturn]] void sleep_forever() {
  while (true) pause();
}

void say_that_it_waits(bootstrap::RankSlot& slot, int peer) {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  slot.wait_version.fetch_add(1);
  slot.wait = {.call = "MPI_Recv",
               .communicator = "MPI_COMM_WORLD",
               .peer = peer,
               .tag = 7,
               .bytes = 64,
               .since_ns = static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000U,
               .nth = 0,
               .agreed = ""};
  slot.wait_version.fetch_add(1);
  slot.sleeps.fetch_add(1);
  slot.sleeping.store(1);
}

void stop_and_finish(const bootstrap::Bootstrap& found) {
  const bool stops = found.job->rank() == 1;
  say_that_it_waits(found.my_slot(), stops ? 0 : 1);
  if (stops) raise(SIGSTOP);
  while (!stops && found.node->slot(1).state.load() != bootstrap::RankState::finalized) usleep(10'000);
  found.job->leave();
}

// Between fences everybody has to find this round's value of everybody.
void exchange(bootstrap::Job& job) {
  constexpr int kRounds = 50;
  for (int round = 0; round < kRounds; ++round) {
    job.put("round", fmt::format("{} of rank {}", round, job.rank()));
    job.fence();
    for (int rank = 0; rank < job.size(); ++rank)
      if (job.get(rank, "round") != fmt::format("{} of rank {}", round, rank))
        job.abort(1, fmt::format("found '{}' in round {}", job.get(rank, "round"), round));
    job.fence();
  }
  fmt::print("found all\n");
}

int run(const std::vector<std::string>& words) {
  const std::string& what = words.at(0);
  if (what == "sleep") {
    sleep(static_cast<unsigned>(std::stoi(words.at(1))));
    return 0;
  }
  const bootstrap::Bootstrap found = join();
  bootstrap::Job& job = *found.job;
  if (what == "join-and-sleep") sleep(static_cast<unsigned>(std::stoi(words.at(1))));
  if (what == "exchange") exchange(job);
  if (what == "start") (void)!std::system(words.at(1).c_str());
  if (what == "fail-to-finalize") job.failed_to_leave();
  if (what == "finalize" || what == "join-and-sleep" || what == "exchange" || what == "start") job.leave();
  if (what == "wait-for") {
    const std::string& peer = words.at(1 + static_cast<std::size_t>(job.rank()));
    if (peer == ".") compute_forever();
    if (peer == "!") {
      job.leave();
      return 0;
    }
    say_that_it_waits(found.my_slot(), peer == "-" ? bootstrap::WaitNote::kAnyPeer : std::stoi(peer));
    sleep_forever();
  }
  if (what == "stop-and-finish") stop_and_finish(found);
  if (what == "abort") {
    if (job.rank() == std::stoi(words.at(1))) job.abort(std::stoi(words.at(2)), "as the test wants");
    sleep_forever();
  }
  if (what == "show") {
    fmt::print("rank={} size={} app={} apps={} cpus={} oversubscribed={} bound={}\n", job.rank(), job.size(),
               found.my_slot().appnum, found.node->header().apps, found.node->header().usable_cpus,
               found.node->header().oversubscribed, found.my_slot().bound_cpu_count);
    job.leave();
  }
  if (what == "settings") {
    const settings::Values values = settings::of_process(found.node->header().settings, settings::given_by(environ));
    std::string line = fmt::format("rank={}", job.rank());
    for (const std::string& name : std::span(words).subspan(1)) {
      const settings::Setting& setting = settings::named(name, name);
      line += fmt::format(" {}={}", name, settings::text_of(setting, setting.get(values)));
    }
    fmt::print("{}\n", line);
    job.leave();
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
