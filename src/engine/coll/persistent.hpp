// A collective that is started again and again: MPI 5.0, 6.13. All members make theirs in one order, but start them
// in any, so its tag is drawn when it is made. Messages of one time do not meet those of the next: between two
// processes they keep their order, and nobody begins the next time before it has all of the last.
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
