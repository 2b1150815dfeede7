// The same of what entry points of collectives use that are carried out later.
#pragma once

#include "api/bodies.hpp"

namespace antiphon::api {

class Nonblocking {
 public:
  Nonblocking(Process& process, objects::Comm& comm, MPI_Request* request);
  coll::Deferred* deferred();
  void hand_out();
};

class Persistent {
 public:
  Persistent(Process& process, objects::Comm& comm, const objects::Info* info, MPI_Request* request);
  coll::Deferred* deferred();
  void hand_out();
};

}  // namespace antiphon::api
