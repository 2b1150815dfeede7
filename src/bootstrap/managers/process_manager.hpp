// The process manager of a launcher that is not ours, as far as a job needs it: who this process is, keys and values
// that are exchanged while the job starts, its end, and abort. What the ranks of a job then do with it is the same
// for every launcher (bootstrap/managed.hpp). One thread at a time; abort() may come from any thread.
#pragma once

#include <string>
#include <string_view>

namespace antiphon::bootstrap {

class ProcessManager {
 public:
  struct Identity {
    int rank = 0;
    int size = 1;
    int appnum = 0;  // which of the programs on the launcher's command line this is
  };
  // Keys have up to 40 letters, digits and dots; values so many printable characters, without spaces and '='.
  static constexpr std::size_t kValueBytes = 1000;

  virtual ~ProcessManager() = default;

  // Whose it is, for messages: "MPICH's mpiexec or another PMI launcher (PMI_FD=5)".
  [[nodiscard]] virtual const std::string& name() const = 0;
  [[nodiscard]] virtual Identity identity() const = 0;

  // These fail with ERR_OTHER and a sentence that names the launcher, where it answers nothing or something else than
  // the protocol says. A key is put once.
  virtual void put(const std::string& key, const std::string& value) = 0;
  // Waits for all ranks of the job. Afterwards everybody finds what they have put before.
  virtual void exchange() = 0;
  [[nodiscard]] virtual std::string get(int rank, const std::string& key) = 0;

  // This process ends soon, and that is no failure. Nothing else may be called afterwards.
  virtual void finish() noexcept = 0;
  // Asks for the end of all processes of the job. Returns if there is nobody any more who could do that.
  virtual void abort(int exit_status, const std::string& text) noexcept = 0;
};

}  // namespace antiphon::bootstrap
