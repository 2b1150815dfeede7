// The Host of a real process, on top of its node's shared segment: the process sleeps on the doorbell in its slot
// there and reaches the other processes of the node through the segment. In a job of several nodes, it reaches those
// of other nodes over connections that the node's broker makes, and sleeps on these, too.
#pragma once

#include <optional>

#include "bootstrap/bootstrap.hpp"
#include "bootstrap/broker_client.hpp"
#include "platform/linux/cross_memory.hpp"
#include "process/file_threads.hpp"
#include "process/host.hpp"
#include "process/waker.hpp"
#include "storage/system/system_storage.hpp"
#include "transport/shm/shm_transport.hpp"
#include "transport/tcp/sockets.hpp"

namespace antiphon::process {

class OnNode final : public Host {
 public:
  OnNode(bootstrap::Bootstrap bootstrap, const settings::Values& settings);
  // Reads the environment variables that mpiexec and the user have set.
  [[nodiscard]] static std::unique_ptr<Host> discover();

  [[nodiscard]] bootstrap::Job& job() override { return *bootstrap_.job; }
  void enter() override;
  // Also copies the counters into the slot, where mpiexec reads them.
  void leave() override;
  [[nodiscard]] std::uint64_t now() noexcept override;
  [[nodiscard]] int cores() const override { return static_cast<int>(bootstrap_.node->header().usable_cpus); }
  [[nodiscard]] std::unique_ptr<progress::Parking> make_parking(const progress::CallContext&,
                                                                const progress::Lane&) override;
  [[nodiscard]] Network make_network(const bootstrap::ProcessTable&, const progress::Lane&,
                                     transport::Watches&) override;
  [[nodiscard]] platform::FilePart my_heap() override;
  [[nodiscard]] std::atomic<std::uint64_t>& my_heap_address() override;
  [[nodiscard]] storage::Storage& storage() override { return storage_; }
  [[nodiscard]] io::Workers& workers() override { return file_threads_; }

 private:
  [[nodiscard]] transport::tcp::Sockets sockets(const bootstrap::ProcessTable&);
  [[nodiscard]] transport::shm::Neighbourhood neighbourhood(const bootstrap::ProcessTable&, const progress::Lane&);
  [[nodiscard]] std::optional<transport::shm::Identity> identity_of(int process);
  [[nodiscard]] unsigned long tracer_to_name() const;
  [[nodiscard]] bootstrap::RankSlot& slot(int rank_on_node) const {
    return bootstrap_.node->slot(static_cast<std::uint32_t>(rank_on_node));
  }

  // The parts of it for other nodes.
  struct BetweenNodes {
    BetweenNodes(const bootstrap::LocalAddress& address, int rank) : broker(address, rank) {}
    Descriptors descriptors;
    bootstrap::BrokerClient broker;
  };

  bootstrap::Bootstrap bootstrap_;
  std::unique_ptr<BetweenNodes> between_nodes_;  // null: the job has one node
  storage::SystemStorage storage_;
  FileThreads file_threads_;
  std::optional<platform::NamedTracer> tracer_;  // present while MPI is initialized
};

}  // namespace antiphon::process
