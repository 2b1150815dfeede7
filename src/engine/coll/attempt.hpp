// What a collective would have done in which this rank's call has failed, as far as that is known: what the others
// do.
#pragma once

#include "engine/coll/choice.hpp"

namespace antiphon::coll {

struct Attempt {
  Case what;
  int root = 0;
  bool runs_user_code = false;  // to combine
  bool in_one_piece = true;     // elements are, that are combined
};

}  // namespace antiphon::coll
