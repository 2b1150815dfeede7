// The MPI call that the process is in, for its wait reports. Set by api::Call.
#pragma once

namespace antiphon::progress {

struct CallContext {
  const char* procedure = "";
};

}  // namespace antiphon::progress
