#include "programs/simulated_host.hpp"

#include "programs/simulated_job.hpp"

namespace antiphon::sim {

RankOfJob::RankOfJob(SimulatedJob& job, int rank)
    : Job({.rank = rank, .size = job.cluster().size(), .appnum = 0, .universe_size = job.cluster().size()}),
      job_(job) {}

bootstrap::Place RankOfJob::place_of(int rank) const {
  return job_.cluster().places()[static_cast<std::size_t>(rank)];
}
void RankOfJob::put(std::string_view key, std::string_view value) { job_.put(rank(), key, value); }
void RankOfJob::fence() { job_.fence(); }
void RankOfJob::enter() { job_.use_mpi(rank(), true); }
void RankOfJob::leave() { job_.use_mpi(rank(), false); }
void RankOfJob::abort(int code, std::string_view text) { job_.abort(code, text); }

std::optional<std::string> RankOfJob::look_up(int rank, std::string_view key) const {
  return job_.look_up(rank, key);
}

std::uint64_t SimulatedHost::now() noexcept { return job_.cluster().fabric().now(); }

std::unique_ptr<progress::Parking> SimulatedHost::make_parking(const progress::CallContext& call,
                                                               const progress::Lane&) {
  return std::make_unique<FiberParking>(job_.cluster(), me_.rank(), FiberParking::Looks::give_way, &call);
}

process::Network SimulatedHost::make_network(const bootstrap::ProcessTable&, const progress::Lane&,
                                             transport::Watches&) {
  return {std::make_unique<transport::sim::SimTransport>(job_.cluster().fabric(), me_.rank())};
}

platform::FilePart SimulatedHost::my_heap() { return job_.heaps().part(me_.rank()); }

std::atomic<std::uint64_t>& SimulatedHost::my_heap_address() { return job_.heaps().address(me_.rank()); }

storage::Storage& SimulatedHost::storage() { return job_.cluster().storage(); }

}  // namespace antiphon::sim
