// What an MPI process gets from outside: its job, the values of settings, how it sleeps, what carries its packets,
// which memory it shares with others, the time. A real process is on a node (OnNode), a simulated one in a
// simulation. Owned by the Process, which uses it from its constructor on; the lane's lock protects it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "bootstrap/job.hpp"
#include "bootstrap/process_table.hpp"
#include "counters/counters.hpp"
#include "platform/linux/file_part.hpp"
#include "process/engines.hpp"
#include "settings/values.hpp"

namespace antiphon::process {

class Host {
 public:
  virtual ~Host() = default;
  [[nodiscard]] virtual bootstrap::Job& job() = 0;
  [[nodiscard]] const settings::Values& settings() const { return settings_; }
  // Where the process counts what it does.
  [[nodiscard]] counters::Counters& counters() { return counters_; }

  // From now on others may reach the process; and no longer.
  virtual void enter() { job().enter(); }
  virtual void leave() { job().leave(); }

  // For all ranks of its node; 0: one for each.
  [[nodiscard]] virtual int cores() const { return 0; }
  [[nodiscard]] virtual std::uint64_t now() noexcept = 0;  // in nanoseconds
  // `call` is what the process is in when it goes to sleep.
  [[nodiscard]] virtual std::unique_ptr<progress::Parking> make_parking(const progress::CallContext& call,
                                                                        const progress::Lane& lane) = 0;
  [[nodiscard]] virtual Network make_network(const bootstrap::ProcessTable& processes, const progress::Lane& lane,
                                             transport::Watches& watches) = 0;

  // What the process allocates memory from that others can see, perhaps nothing; and where they learn its address.
  [[nodiscard]] virtual platform::FilePart my_heap() = 0;
  [[nodiscard]] virtual std::atomic<std::uint64_t>& my_heap_address() = 0;

 protected:
  explicit Host(const settings::Values& settings = {}) : settings_(settings) {}

 private:
  const settings::Values settings_;
  counters::Counters counters_;
};

}  // namespace antiphon::process
