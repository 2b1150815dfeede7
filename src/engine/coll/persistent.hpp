// A collective that can be started many times: MPI 5.0, 6.13. All members create their persistent collectives in the
// same order, but may start them in any, so the tag is drawn at creation. Messages of one start do not match receives
// of the next: messages between two processes keep their order, and no process starts again before it has all
// messages.
#pragma once

#include <memory>
#include <utility>

#include "engine/coll/replay.hpp"
#include "objects/persistent.hpp"

namespace antiphon::coll {

class PersistentCollective final : public objects::PersistentRequest {
 public:
  PersistentCollective(Replays& replays, Plan plan, objects::Comm& comm)
      : PersistentRequest(objects::Ref<objects::Comm>::share(comm)),
        replays_(replays),
        plan_(std::make_shared<const Plan>(std::move(plan))),
        tag_(comm.next_nonblocking_tag()) {}

 private:
  objects::Ref<objects::Request> begin() override { return replays_.start(plan_, comm(), tag_); }

  Replays& replays_;
  std::shared_ptr<const Plan> plan_;
  std::int32_t tag_;
};

}  // namespace antiphon::coll
