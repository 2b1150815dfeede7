// What an MPI process gets from outside: its job, its settings, how it sleeps, its transport, the memory that it
// shares with others, the time. OnNode is the host of a real process; simulations have their own. Owned by the
// Process, which uses it from its constructor on; the lane protects it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "bootstrap/job.hpp"
#include "bootstrap/process_table.hpp"
#include "counters/counters.hpp"
#include "engine/io/workers.hpp"
#include "platform/linux/file_part.hpp"
#include "process/engines.hpp"
#include "settings/values.hpp"
#include "storage/storage.hpp"

namespace antiphon::process {

class Host {
 public:
  virtual ~Host() = default;
  [[nodiscard]] virtual bootstrap::Job& job() = 0;
  [[nodiscard]] const settings::Values& settings() const { return settings_; }
  // The process's event counters.
  [[nodiscard]] counters::Counters& counters() { return counters_; }

  // MPI is now initialized in this process, or no longer.
  virtual void enter() { job().enter(); }
  virtual void leave() { job().leave(); }

  // The number of cores for all ranks of the node; 0: each rank has its own.
  [[nodiscard]] virtual int cores() const { return 0; }
  [[nodiscard]] virtual std::uint64_t now() noexcept = 0;  // in nanoseconds
  // `call` is the MPI call to report when the process goes to sleep.
  [[nodiscard]] virtual std::unique_ptr<progress::Parking> make_parking(const progress::CallContext& call,
                                                                        const progress::Lane& lane) = 0;
  [[nodiscard]] virtual Network make_network(const bootstrap::ProcessTable& processes, const progress::Lane& lane,
                                             transport::Watches& watches) = 0;

  // The memory from which the process allocates what others are to see; it may be empty. Other processes read its
  // address from my_heap_address().
  [[nodiscard]] virtual platform::FilePart my_heap() = 0;
  [[nodiscard]] virtual std::atomic<std::uint64_t>& my_heap_address() = 0;

  // Where files are, and who works on them while the program computes.
  [[nodiscard]] virtual storage::Storage& storage() = 0;
  [[nodiscard]] virtual io::Workers& workers() = 0;

 protected:
  explicit Host(const settings::Values& settings = {}) : settings_(settings) {}

 private:
  const settings::Values settings_;
  counters::Counters counters_;
};

}  // namespace antiphon::process
