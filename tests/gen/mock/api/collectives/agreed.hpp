// The same of what entry points of blocking collectives note.
#pragma once

#include "api/bodies.hpp"

namespace antiphon::objects {
class Op {
 public:
  const char* name() const;
};
}  // namespace antiphon::objects

namespace antiphon::progress {
struct Agreed {
  int root = -1;
  long bytes = -1;
  const char* op = "";
};
}  // namespace antiphon::progress

namespace antiphon::api {

class Agreed {
 public:
  Agreed(Process& process, objects::Comm& comm);
  ~Agreed();
  void on(progress::Agreed what);
  static long bytes(MPI_Count count, const objects::Datatype& type);
};

}  // namespace antiphon::api
