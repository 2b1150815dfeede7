// What the entry point of a nonblocking or persistent collective does around the body: it takes the Deferred that
// the body leaves, and returns a request for it.
#pragma once

#include <memory>
#include <utility>

#include "api/check.hpp"
#include "api/pt2pt/message_arguments.hpp"
#include "engine/coll/deferred.hpp"
#include "engine/coll/persistent.hpp"

namespace antiphon::api {

class Later {
 public:
  // Where the body puts it.
  [[nodiscard]] coll::Deferred* deferred() { return &deferred_; }

 protected:
  using Times = coll::Deferred::Times;
  Later(Process& process, objects::Comm& comm, MPI_Request* request, Times times)
      : process_(process), comm_(comm), request_(request), deferred_{times} {
    check::not_null(request, "request");
  }

  Process& process_;
  objects::Comm& comm_;
  MPI_Request* request_;
  coll::Deferred deferred_;
};

// MPI 5.0, 6.12.
class Nonblocking : public Later {
 public:
  Nonblocking(Process& process, objects::Comm& comm, MPI_Request* request)
      : Later(process, comm, request, Times::once) {}
  void hand_out() {
    if (!deferred_.begun) begin_plan();
    *request_ = handle_of(process_, std::move(deferred_.begun));
  }

 private:
  void begin_plan() {
    auto plan = std::make_shared<const coll::Plan>(std::move(deferred_.plan));
    deferred_.begun = process_.replays().start(std::move(plan), comm_, comm_.next_nonblocking_tag());
  }
};

// MPI 5.0, 6.13. There are no hints that would change anything.
class Persistent : public Later {
 public:
  Persistent(Process& process, objects::Comm& comm, const objects::Info*, MPI_Request* request)
      : Later(process, comm, request, Times::any) {}
  void hand_out() {
    *request_ = handle_of(process_, objects::Ref<objects::Request>::adopt(new coll::PersistentCollective(
                                        process_.replays(), std::move(deferred_.plan), comm_)));
  }
};

}  // namespace antiphon::api
