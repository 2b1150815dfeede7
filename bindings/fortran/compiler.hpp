// What only the Fortran compiler knows, which compiler.f90 asks it.
#pragma once

namespace antiphon::fortran {

struct Compiler {
  int true_value;
  int false_value;
  int logical_size;
  int integer_size;
  int real_size;
  int double_precision_size;
};

const Compiler& compiler();

// Tells MPI how LOGICALs look (MPI 5.0, 20.5), unless somebody has, when MPI_Init has returned `code`: others than
// Antiphon do not listen before. Returns the code.
int tell_mpi(int code);

}  // namespace antiphon::fortran
