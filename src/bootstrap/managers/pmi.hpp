// The process manager of launchers that speak PMI-1 over a socket: MPICH's and Intel's mpiexec (hydra), Slurm's
// srun --mpi=pmi2 (which speaks PMI-1 over the same socket), Flux. It needs no library.
#pragma once

#include <memory>

#include "bootstrap/environment.hpp"
#include "bootstrap/managers/pmi_line.hpp"
#include "bootstrap/managers/process_manager.hpp"

namespace antiphon::bootstrap {

class Pmi final : public ProcessManager {
 public:
  // Over the socket PMI_FD, as the rank PMI_RANK of PMI_SIZE; or over a connection to the address PMI_PORT, as
  // number PMI_ID. Fails with ERR_OTHER where that is not possible.
  explicit Pmi(const Environment& environment);

  [[nodiscard]] const std::string& name() const override { return name_; }
  [[nodiscard]] Identity identity() const override { return identity_; }
  void put(const std::string& key, const std::string& value) override;
  void exchange() override;
  [[nodiscard]] std::string get(int rank, const std::string& key) override;
  void finish() noexcept override;
  void abort(int exit_status, const std::string& text) noexcept override;

 private:
  [[nodiscard]] Identity introduce(const Environment& environment);

  std::string name_;
  PmiLine line_;
  Identity identity_;
  std::string space_;  // the name of the job's keys and values
};

}  // namespace antiphon::bootstrap
