// A rank of a job that our mpiexec started: it inherited the segment of its node by descriptor and its rank by name.
#pragma once

#include <memory>

#include "bootstrap/node_job.hpp"

namespace antiphon::bootstrap {

class Native final : public NodeJob {
 public:
  // The segment, and the rank, claimed in it. Fail with ERR_OTHER when the segment is not one, the rank is not of the
  // job, or another process is that rank already: a program that a rank started inherits its environment, and must
  // not be taken for it.
  [[nodiscard]] static std::unique_ptr<NodeSegment> attach(int fd);
  Native(NodeSegment& node, int rank);

  [[noreturn]] void abort(int code, std::string_view text) override;
};

}  // namespace antiphon::bootstrap
