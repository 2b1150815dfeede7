// The error handler of MPI_COMM_WORLD and MPI_COMM_SELF until the program sets another one, and of errors before
// MPI_Init and after MPI_Finalize: fatal, or the one that mpiexec -initial-errhandler names (MPI 5.0, 9.3 and
// 11.5).
#pragma once

#include "process/anytime.hpp"
#include "settings/values.hpp"

namespace antiphon::process {

[[nodiscard]] objects::Ref<objects::Errhandler> initial_errhandler(Anytime& anytime,
                                                                   const settings::Values& settings);
// For errors before MPI_Init, when there is no Process: reads the settings from the environment.
[[nodiscard]] objects::Ref<objects::Errhandler> initial_errhandler(Anytime& anytime);

}  // namespace antiphon::process
