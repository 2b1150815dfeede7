// The C++ binding of MPI-2.2, namespace MPI, for programs that were written for it. The standard deprecated it in 2.2
// and removed it in 3.0, so a program asks for it: by this file, or by ANTIPHON_MPI_CXX and mpi.h. It is inline
// functions over the C interface: nothing of it is in the library, and calls may be mixed with those of C.
#ifndef ANTIPHON_MPICXX_H
#define ANTIPHON_MPICXX_H

#if !defined(__cplusplus) || __cplusplus < 201103L
#error "mpicxx.h is for C++11 and newer (-std=c++11)"
#endif

#include <mpi.h>

#include <antiphon/mpicxx/classes.h>
#include <antiphon/mpicxx/exception.h>

#endif
