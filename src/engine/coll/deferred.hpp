// What a collective that its call does not carry out leaves behind, for progress to carry out.
#pragma once

#include "engine/coll/recorder.hpp"
#include "objects/request.hpp"

namespace antiphon::coll {

struct Deferred {
  enum class Times : std::uint8_t { once, any };  // nonblocking, or persistent
  Times times;
  objects::Ref<objects::Request> begun = {};  // a nonblocking one that is under way already, on a board
  Plan plan = {};                             // else: what is to be done
};

}  // namespace antiphon::coll
