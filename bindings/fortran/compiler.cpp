#include "compiler.hpp"

#include <mpi.h>

#include <string>

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

// Tells MPI (MPI 5.0, 20.5) when the library is loaded, unless somebody else has said it before.
struct Told {
  Told() {
    Compiler c = compiler();
    int before_true = 0, before_false = 0, is_set = 0;
    if (PMPI_Abi_get_fortran_booleans(c.logical_size, &before_true, &before_false, &is_set) != MPI_SUCCESS || is_set)
      return;
    PMPI_Abi_set_fortran_booleans(c.logical_size, &c.true_value, &c.false_value);
    MPI_Info info = MPI_INFO_NULL;
    PMPI_Abi_get_fortran_info(&info);
    if (info != MPI_INFO_NULL) {
      PMPI_Info_free(&info);
      return;
    }
    PMPI_Info_create(&info);
    PMPI_Info_set(info, "mpi_logical_size", std::to_string(c.logical_size).c_str());
    PMPI_Info_set(info, "mpi_integer_size", std::to_string(c.integer_size).c_str());
    PMPI_Info_set(info, "mpi_real_size", std::to_string(c.real_size).c_str());
    PMPI_Info_set(info, "mpi_double_precision_size", std::to_string(c.double_precision_size).c_str());
    PMPI_Abi_set_fortran_info(info);
    PMPI_Info_free(&info);
  }
};

const Told told;

}  // namespace

const Compiler& compiler() {
  static const Compiler known = ask();
  return known;
}

}  // namespace antiphon::fortran
