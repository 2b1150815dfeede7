// C functions that stand for functions of the Fortran program. Operations and error handlers are called without
// anything that says which one is meant, so each Fortran function gets a C function of its own, from a pool: as many
// as a program has such functions, not as many handles as it makes of them.
#pragma once

#include <mpi.h>

namespace antiphon::fortran {

using Fortran_operation = void(void* invec, void* inoutvec, int* len, int* datatype);
using Fortran_operation_c = void(void* invec, void* inoutvec, MPI_Count* len, int* datatype);
using Fortran_errhandler = void(int* handle, int* error_code);

// Null where the pool is empty: 256 functions of each kind are too few.
MPI_User_function* operation(Fortran_operation* function);
MPI_User_function_c* operation_c(Fortran_operation_c* function);
MPI_Comm_errhandler_function* comm_errhandler(Fortran_errhandler* function);
MPI_File_errhandler_function* file_errhandler(Fortran_errhandler* function);
MPI_Session_errhandler_function* session_errhandler(Fortran_errhandler* function);
MPI_Win_errhandler_function* win_errhandler(Fortran_errhandler* function);

}  // namespace antiphon::fortran
