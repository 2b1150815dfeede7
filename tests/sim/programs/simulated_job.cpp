#include "programs/simulated_job.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <new>

#include "programs/failing_memory.hpp"
#include "programs/simulated_host.hpp"

namespace antiphon::sim {

namespace {

constexpr std::size_t kHeapBytes = std::size_t{1} << 30;
constexpr std::size_t kStackBytes = std::size_t{8} << 20;
constexpr std::uint64_t kLookNs = 1000;

SimulatedJob* the_job = nullptr;

std::unique_ptr<process::Host> find_host() {
  return std::make_unique<SimulatedHost>(*the_job, the_job->cluster().scheduler().current());
}

}  // namespace

Heaps::Heaps(int ranks)
    : fd_(memfd_create("simulated heaps", MFD_CLOEXEC)), addresses_(static_cast<std::size_t>(ranks)) {
  if (fd_ < 0 || ftruncate(fd_, static_cast<off_t>(kHeapBytes) * ranks) != 0) throw std::bad_alloc();
}

platform::FilePart Heaps::part(int rank) const {
  return {fd_, kHeapBytes * static_cast<std::uint64_t>(rank), kHeapBytes};
}

bool Heaps::holds(int rank, std::uint64_t address, std::size_t bytes) const {
  const std::uint64_t begin = addresses_[static_cast<std::size_t>(rank)];
  return begin != 0 && address >= begin && address + bytes <= begin + kHeapBytes;
}

SimulatedJob::SimulatedJob(const Setup& setup)
    : cluster_(setup.ranks, setup.conditions, setup.seed, kStackBytes, setup.nodes),
      heaps_(setup.ranks),
      last_rank_(setup.last_rank) {
  for (const int output : setup.outputs) {
    Seat& made = seats_.emplace_back(output);
    new (made.current) api::Current{.find_host = find_host};
  }
  cluster_.fabric().share(
      [this](int rank, std::uint64_t address, std::size_t bytes) { return heaps_.holds(rank, address, bytes); });
  cluster_.scheduler().on_switch([this](int rank) { enter(rank); }, [this](int rank) { leave(rank); });
  the_job = this;
}

SimulatedJob::~SimulatedJob() { the_job = nullptr; }

SimulatedJob* SimulatedJob::of_caller() {
  return the_job && the_job->cluster_.scheduler().is_in_fiber() ? the_job : nullptr;
}

void SimulatedJob::enter(int rank) {
  last_rank_ = rank;
  std::memcpy(static_cast<void*>(&api::current), seat(rank).current, sizeof api::current);
  memory_may_fail = seat(rank).memory_may_fail;
  seat(rank).output.install();
}

void SimulatedJob::leave(int rank) {
  seat(rank).memory_may_fail = std::exchange(memory_may_fail, false);
  seat(rank).output.uninstall();
  std::memcpy(seat(rank).current, static_cast<const void*>(&api::current), sizeof api::current);
}

std::string SimulatedJob::run(const std::function<int(int)>& main) {
  const Scheduler::Ending ending = cluster_.run([&](int rank) { end_rank(rank, main(rank)); });
  for (Seat& each : seats_) each.output.flush();
  if (ending == Scheduler::Ending::deadlock) return cluster_.who_waits_for_whom();
  return ending == Scheduler::Ending::stopped ? verdict_ : statuses();
}

std::string SimulatedJob::statuses() {
  std::string text;
  for (int rank = 0; rank < cluster_.size(); ++rank)
    if (seat(rank).status != 0) text += fmt::format("rank {} ended with status {}\n", rank, seat(rank).status);
  return text;
}

void SimulatedJob::end_rank(int rank, int status) {
  seat(rank).status = status;
  if (!seat(rank).uses_mpi) return;
  verdict_ = fmt::format("rank {} ended with status {} and without MPI_Finalize\n", rank, status);
  cluster_.scheduler().stop();
}

void SimulatedJob::exit(int status) {
  end_rank(cluster_.scheduler().current(), status);
  cluster_.scheduler().vanish();
}

void SimulatedJob::abort(int code, std::string_view text) {
  if (failing_memory && text.find("out of memory: nothing has begun") != std::string_view::npos)
    failing_memory->seen->ended = true;
  verdict_ = fmt::format("rank {} aborted with code {}: {}\n", cluster_.scheduler().current(), code, text);
  cluster_.scheduler().stop();
  cluster_.scheduler().vanish();
}

void SimulatedJob::put(int rank, std::string_view key, std::string_view value) {
  seat(rank).board.insert_or_assign(std::string(key), std::string(value));
}

std::optional<std::string> SimulatedJob::look_up(int rank, std::string_view key) const {
  const auto& board = seats_[static_cast<std::size_t>(rank)].board;
  const auto found = board.find(key);
  return found == board.end() ? std::nullopt : std::optional(found->second);
}

// The fence is over when as many have come as it takes for everybody to have come as often as this rank.
void SimulatedJob::fence() {
  const auto ranks = static_cast<std::uint64_t>(cluster_.size());
  const std::uint64_t enough = (at_fences_++ / ranks + 1) * ranks;
  while (at_fences_ < enough) cluster_.scheduler().yield();
}

std::uint64_t SimulatedJob::look_at_clock() {
  transport::sim::Fabric& fabric = cluster_.fabric();
  fabric.advance_to(fabric.now() + kLookNs);
  cluster_.scheduler().yield();
  return fabric.now();
}

}  // namespace antiphon::sim
