// What an entry point does around the body of a collective that is not carried out by the call itself: takes its
// plan, and hands out the request that will.
#pragma once

#include <memory>
#include <utility>

#include "api/check.hpp"
#include "api/message_arguments.hpp"
#include "engine/coll/persistent.hpp"

namespace antiphon::api {

class Later {
 public:
  // Where the body writes its plan.
  [[nodiscard]] coll::Plan* plan() { return &plan_; }

 protected:
  Later(Process& process, objects::Comm& comm, MPI_Request* request)
      : process_(process), comm_(comm), request_(request) {
    check::not_null(request, "request");
  }

  Process& process_;
  objects::Comm& comm_;
  MPI_Request* request_;
  coll::Plan plan_;
};

// MPI 5.0, 6.12.
class Nonblocking : public Later {
 public:
  Nonblocking(Process& process, objects::Comm& comm, MPI_Request* request) : Later(process, comm, request) {}
  void hand_out() {
    auto plan = std::make_shared<const coll::Plan>(std::move(plan_));
    const std::int32_t tag = comm_.next_nonblocking_tag();
    *request_ = handle_of(process_, process_.replays().start(std::move(plan), comm_, tag));
  }
};

// MPI 5.0, 6.13. There are no hints that would change anything.
class Persistent : public Later {
 public:
  Persistent(Process& process, objects::Comm& comm, const objects::Info*, MPI_Request* request)
      : Later(process, comm, request) {}
  void hand_out() {
    *request_ = handle_of(process_, objects::Ref<objects::Request>::adopt(
                                        new coll::PersistentCollective(process_.replays(), std::move(plan_), comm_)));
  }
};

}  // namespace antiphon::api
