// A rank of a job that another launcher started. There is no mpiexec that made the segment of its node, so the lowest
// rank of each node does, and hands it to the others there; in a job of several nodes it also starts the connection
// broker of its node (docs/decisions/0017-jobs-of-other-launchers.md). The launcher's process manager carries the few
// things that ranks have to tell each other before, and hears of the end and of MPI_Abort.
#pragma once

#include <memory>

#include "bootstrap/bootstrap.hpp"
#include "bootstrap/managers/process_manager.hpp"
#include "bootstrap/node_job.hpp"
#include "platform/linux/owned_descriptor.hpp"

namespace antiphon::bootstrap {

class Managed final : public NodeJob {
 public:
  // All ranks of the job call this. The job gets the settings of rank 0. A rank that cannot join ends
  // the job, with a sentence.
  [[nodiscard]] static Bootstrap join(std::unique_ptr<ProcessManager> manager, const settings::Values& settings);

  void leave() override;
  [[noreturn]] void abort(int code, std::string_view text) override;

 private:
  Managed(NodeSegment& node, int rank, std::unique_ptr<ProcessManager> manager, platform::OwnedDescriptor lifeline);

  std::unique_ptr<ProcessManager> manager_;  // null once it knows that this process has finished
  // The broker of this node lives as long as some rank of the node has this descriptor.
  platform::OwnedDescriptor lifeline_;
};

}  // namespace antiphon::bootstrap
