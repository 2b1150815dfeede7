// The MPI call that the process is in, for its wait reports. Set by api::Call.
#pragma once

#include <cstdint>

namespace antiphon::progress {

// Of a blocking collective: what all members of the communicator have to give alike, as far as the call has it.
struct Agreed {
  static constexpr int kNoRoot = -1;

  int root = kNoRoot;
  std::int64_t bytes = -1;
  const char* op = "";    // what it is called
  std::uint32_t nth = 0;  // of the communicator's; 0: the call is no collective
};

struct CallContext {
  const char* procedure = "";
  Agreed collective = {};
};

}  // namespace antiphon::progress
