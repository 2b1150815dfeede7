// Attributes between languages (MPI 5.0, 19.3.7). C caches addresses and Fortran integers, so what Fortran sets lies
// in a cell: C gets the cell's address, and finds there an MPI_Aint or, as bytes are ordered here, an int. What C has
// set is an address that is no cell's, and Fortran gets it as an integer.
#pragma once

#include <mpi.h>

namespace antiphon::fortran {

void* make_cell(MPI_Aint value);
void end_cell(void* attribute);  // does nothing for what is no cell

// What Fortran sees in an attribute of a key of the program's own.
MPI_Aint value_of(void* attribute);

// The same for any key of the kind of object that has it: those of MPI's own are numbers behind addresses, but for
// bases.
MPI_Aint comm_value(int keyval, void* attribute);
MPI_Aint type_value(int keyval, void* attribute);
MPI_Aint win_value(int keyval, void* attribute);

}  // namespace antiphon::fortran
