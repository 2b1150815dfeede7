// The MPI call that the process is in, for its wait reports. Set by api::Call.
#pragma once

namespace antiphon::process {

struct CallContext {
  const char* procedure = "";
};

}  // namespace antiphon::process
