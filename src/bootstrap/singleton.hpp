// A program started without any launcher: a job of one, in a segment of its own that nobody else can see.
#pragma once

#include <memory>

#include "bootstrap/node_job.hpp"

namespace antiphon::bootstrap {

class Singleton final : public NodeJob {
 public:
  [[nodiscard]] static std::unique_ptr<NodeSegment> create_node(const settings::Values& settings);
  explicit Singleton(NodeSegment& node) : NodeJob(node, 0) {}

  // There is no mpiexec to tell the user, so this does.
  [[noreturn]] void abort(int code, std::string_view text) override;
};

}  // namespace antiphon::bootstrap
