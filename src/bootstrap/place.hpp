// Where a process runs: on which node, and which of the job's processes there it is. Nodes are numbered from 0, the
// same in all processes of a job.
#pragma once

#include <cstdint>

namespace antiphon::bootstrap {

struct alignas(8) Place {  // read and written as one word
  std::int32_t node = -1;
  std::int32_t rank_on_node = -1;  // the index into the node's memory

  bool operator==(const Place&) const = default;
};

}  // namespace antiphon::bootstrap
