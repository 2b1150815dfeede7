// Who is where, for programs that pass messages around a ring.
#pragma once

#include <antiphon/mpi.hpp>
#include <stdexcept>

#include "support/ranks.hpp"

using conformance::expect;
using conformance::expect_equal;

inline int right() { return (conformance::rank() + 1) % conformance::size(); }
inline int left() { return (conformance::rank() + conformance::size() - 1) % conformance::size(); }

// The class of the error that a call throws, MPI_SUCCESS if it throws none.
template <class F>
int error_class_of(F&& call) {
  const auto outcome = antiphon::attempt(call);
  return outcome ? MPI_SUCCESS : outcome.error().error_class();
}

// Whether a call says that the program is wrong, before MPI hears of it.
template <class F>
bool is_refused(F&& call) {
  try {
    call();
  } catch (const std::logic_error&) {
    return true;
  }
  return false;
}
