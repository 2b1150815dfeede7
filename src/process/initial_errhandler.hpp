// The error handler of MPI_COMM_WORLD and MPI_COMM_SELF until the program sets another, and of what goes wrong before
// there are any and afterwards: fatal, or what mpiexec -initial-errhandler says (MPI 5.0, 9.3 and 11.5).
#pragma once

#include "process/anytime.hpp"
#include "settings/values.hpp"

namespace antiphon::process {

[[nodiscard]] objects::Ref<objects::Errhandler> initial_errhandler(Anytime& anytime,
                                                                   const settings::Values& settings);
// Where no process knows its settings: as the environment says.
[[nodiscard]] objects::Ref<objects::Errhandler> initial_errhandler(Anytime& anytime);

}  // namespace antiphon::process
