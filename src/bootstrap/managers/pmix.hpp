// The process manager of launchers that speak PMIx: prterun, Open MPI's mpirun, srun --mpi=pmix. Its protocol is that
// of a library, libpmix.so.2, which is opened when such a launcher has started this process, and stays open.
#pragma once

#include "bootstrap/environment.hpp"
#include "bootstrap/managers/pmix_abi.hpp"
#include "bootstrap/managers/process_manager.hpp"

namespace antiphon::bootstrap {

class Pmix final : public ProcessManager {
 public:
  // Fails with ERR_OTHER where there is no such library, or it does not reach the launcher.
  explicit Pmix(const Environment& environment);

  [[nodiscard]] const std::string& name() const override { return name_; }
  [[nodiscard]] Identity identity() const override { return identity_; }
  void put(const std::string& key, const std::string& value) override;
  void exchange() override;
  [[nodiscard]] std::string get(int rank, const std::string& key) override;
  void finish() noexcept override;
  void abort(int exit_status, const std::string& text) noexcept override;

 private:
  struct Library {
    explicit Library(const std::string& launcher);

    pmix::Init init;
    pmix::Get get;
    pmix::Put put;
    pmix::Commit commit;
    pmix::Fence fence;
    pmix::Abort abort;
    pmix::Finalize finalize;
    pmix::ErrorString error_string;
  };

  [[nodiscard]] pmix::Process process(std::uint32_t rank) const;
  [[nodiscard]] std::uint32_t number(std::uint32_t of, const char* key) const;
  // Fails where `status` is not success.
  void need(int status, const std::string& what) const;

  std::string name_;
  Library library_;
  pmix::Process self_{};
  Identity identity_;
};

}  // namespace antiphon::bootstrap
