// A job of MPI programs that is simulated: N ranks in one operating-system process, each with an MPI of its own,
// because whoever runs next finds its own api::current, stdout and stderr. One at a time in a process, for those
// globals' sake.
#pragma once

#include <deque>
#include <map>
#include <optional>

#include "api/current.hpp"
#include "cluster.hpp"
#include "platform/linux/file_part.hpp"
#include "programs/rank_output.hpp"

namespace antiphon::sim {

// A piece of memory for each rank, from which it allocates what others can see.
class Heaps {
 public:
  explicit Heaps(int ranks);
  [[nodiscard]] platform::FilePart part(int rank) const;
  // Where the piece lies, at the same address for all; 0 as long as nothing has been allocated.
  [[nodiscard]] std::atomic<std::uint64_t>& address(int rank) { return addresses_[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] bool holds(int rank, std::uint64_t address, std::size_t bytes) const;

 private:
  int fd_;
  std::deque<std::atomic<std::uint64_t>> addresses_;
};

class SimulatedJob {
 public:
  struct Setup {
    int ranks;
    transport::sim::Conditions conditions;
    transport::sim::Nodes nodes;
    std::uint64_t seed;
    std::vector<int> outputs;  // a file descriptor for each rank
    int& last_rank;            // where to write which rank runs, for whoever survives a crash
  };
  explicit SimulatedJob(const Setup& setup);
  ~SimulatedJob();
  SimulatedJob(const SimulatedJob&) = delete;
  SimulatedJob& operator=(const SimulatedJob&) = delete;

  // Runs main(rank) as every rank. Empty if all ended with status 0, else what went wrong.
  [[nodiscard]] std::string run(const std::function<int(int rank)>& main);

  // The job that the caller is a rank of, if it is one: for what programs call.
  [[nodiscard]] static SimulatedJob* of_caller();
  [[noreturn]] void exit(int status);
  [[noreturn]] void abort(int code, std::string_view text);
  void sleep(std::uint64_t ns) { cluster_.sleep(ns); }
  // Looking takes a moment, so that a loop until some time ends; and the others go on meanwhile.
  [[nodiscard]] std::uint64_t look_at_clock();
  void give_way() { cluster_.scheduler().yield(); }

  Cluster& cluster() { return cluster_; }
  Heaps& heaps() { return heaps_; }
  // What ranks let each other know, and where they wait for each other before messages are moved.
  void put(int rank, std::string_view key, std::string_view value);
  [[nodiscard]] std::optional<std::string> look_up(int rank, std::string_view key) const;
  void fence();
  void use_mpi(int rank, bool uses) { seat(rank).uses_mpi = uses; }

 private:
  // What a rank finds when it goes on.
  struct Seat {
    explicit Seat(int fd) : output(fd) {}
    alignas(api::Current) std::byte current[sizeof(api::Current)];
    RankOutput output;
    std::map<std::string, std::string, std::less<>> board;
    bool uses_mpi = false;
    bool memory_may_fail = false;
    int status = 0;
  };

  Seat& seat(int rank) { return seats_[static_cast<std::size_t>(rank)]; }
  void enter(int rank);
  void leave(int rank);
  void end_rank(int rank, int status);
  [[nodiscard]] std::string statuses();

  Cluster cluster_;
  Heaps heaps_;
  std::deque<Seat> seats_;
  std::string verdict_;
  std::uint64_t at_fences_ = 0;  // ranks that have come to one
  int& last_rank_;
};

}  // namespace antiphon::sim
