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

}  // namespace antiphon::fortran
