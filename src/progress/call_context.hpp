// The MPI call that holds the lane, as hang reports show it. api::Call sets the procedure; a blocking collective adds
// its arguments.
#pragma once

#include <cstdint>

namespace antiphon::progress {

// Arguments of a blocking collective that must be the same on all members of its communicator. An argument that the
// collective lacks keeps its default value.
struct Agreed {
  static constexpr int kNoRoot = -1;

  int root = kNoRoot;
  std::int64_t bytes = -1;
  const char* op = "";    // name of the reduction operation
  std::uint32_t nth = 0;  // number of the collective on its communicator; 0: the call is no blocking collective
};

struct CallContext {
  const char* procedure = "";
  Agreed collective = {};
};

}  // namespace antiphon::progress
