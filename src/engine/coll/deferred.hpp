// A collective that its call does not carry out, but leaves to progress.
#pragma once

#include "engine/coll/recorder.hpp"
#include "objects/request.hpp"

namespace antiphon::coll {

struct Deferred {
  enum class Times : std::uint8_t { once, any };  // nonblocking, or persistent
  Times times;
  objects::Ref<objects::Request> begun = {};  // a nonblocking one that has begun on a board
  Plan plan = {};                             // otherwise: what is to be done
};

}  // namespace antiphon::coll
