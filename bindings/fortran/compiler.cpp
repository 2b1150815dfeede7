#include "compiler.hpp"

#include <mpi.h>

extern "C" void antiphon_fortran_compiler_(int* true_value, int* false_value, int* logical_size, int* integer_size,
                                           int* real_size, int* double_precision_size);

namespace antiphon::fortran {

namespace {

Compiler ask() {
  Compiler c{};
  antiphon_fortran_compiler_(&c.true_value, &c.false_value, &c.logical_size, &c.integer_size, &c.real_size,
                             &c.double_precision_size);
  return c;
}

}  // namespace

int tell_mpi(int code) {
  Compiler c = compiler();
  int before_true = 0, before_false = 0, is_set = 0;
  if (code != MPI_SUCCESS) return code;
  if (PMPI_Abi_get_fortran_booleans(c.logical_size, &before_true, &before_false, &is_set) != MPI_SUCCESS || is_set)
    return code;
  PMPI_Abi_set_fortran_booleans(c.logical_size, &c.true_value, &c.false_value);
  return code;
}

const Compiler& compiler() {
  static const Compiler known = ask();
  return known;
}

}  // namespace antiphon::fortran
