// A collective in which this rank's call has failed, as far as the call says what the other ranks do.
#pragma once

#include "engine/coll/choice.hpp"

namespace antiphon::coll {

struct Attempt {
  Case what;
  int root = 0;
  bool runs_user_code = false;  // in a reduction
  bool in_one_piece = true;     // elements of a reduction have no gaps
};

}  // namespace antiphon::coll
