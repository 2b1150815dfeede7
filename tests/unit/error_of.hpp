// For tests of what must fail.
#pragma once

#include "base/error.hpp"

namespace antiphon {

// The class of the error that `act` ends with; 0, MPI_SUCCESS, if it ends well.
template <class Act>
int error_of(Act&& act) {
  try {
    act();
  } catch (const base::Error& error) {
    return error.error_class;
  }
  return 0;
}

}  // namespace antiphon
