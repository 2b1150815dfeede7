// The host of a simulated process: the network and the time of a Cluster, memory that all ranks of a node find at the
// same addresses, and its place in the SimulatedJob.
#pragma once

#include "bootstrap/job.hpp"
#include "cluster.hpp"
#include "polling_workers.hpp"
#include "process/host.hpp"

namespace antiphon::sim {

class SimulatedJob;

// The job as one of its ranks sees it.
class RankOfJob final : public bootstrap::Job {
 public:
  RankOfJob(SimulatedJob& job, int rank);

  [[nodiscard]] bootstrap::Place place_of(int rank) const override;
  void put(std::string_view key, std::string_view value) override;
  void fence() override;
  void enter() override;
  void leave() override;
  [[noreturn]] void abort(int code, std::string_view text) override;

 private:
  [[nodiscard]] std::optional<std::string> look_up(int rank, std::string_view key) const override;

  SimulatedJob& job_;
};

class SimulatedHost final : public process::Host {
 public:
  SimulatedHost(SimulatedJob& job, int rank) : job_(job), me_(job, rank) {}

  [[nodiscard]] bootstrap::Job& job() override { return me_; }
  [[nodiscard]] std::uint64_t now() noexcept override;
  [[nodiscard]] std::unique_ptr<progress::Parking> make_parking(const progress::CallContext&,
                                                                const progress::Lane&) override;
  [[nodiscard]] process::Network make_network(const bootstrap::ProcessTable&, const progress::Lane&,
                                              transport::Watches&) override;
  [[nodiscard]] platform::FilePart my_heap() override;
  [[nodiscard]] std::atomic<std::uint64_t>& my_heap_address() override;
  [[nodiscard]] storage::Storage& storage() override;
  [[nodiscard]] io::Workers& workers() override { return workers_; }

 private:
  SimulatedJob& job_;
  RankOfJob me_;
  PollingWorkers workers_;
};

}  // namespace antiphon::sim
