// A rank of a job that our mpiexec started: it inherited the job segment by descriptor and its rank by name.
#pragma once

#include "bootstrap/bootstrap.hpp"

namespace antiphon::bootstrap {

class Native final : public Bootstrap {
 public:
  // Attaches the segment and claims the rank's slot. Fails with ERR_OTHER when the segment is not one, the rank is
  // not of the job, or another process is that rank already: a program that a rank started inherits its environment,
  // and must not be taken for it.
  static std::unique_ptr<Native> attach(int fd, int rank);

  [[noreturn]] void abort(int code, std::string_view text) override;

 private:
  using Bootstrap::Bootstrap;
};

}  // namespace antiphon::bootstrap
