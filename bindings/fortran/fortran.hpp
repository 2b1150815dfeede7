// What every entry point for Fortran begins with. An entry point takes Fortran's arguments, all of them addresses,
// turns each into C's by an adapter that lives as long as the call (handles.hpp, arguments.hpp), and calls the C
// interface, the only way into MPI that this folder knows.
//
// The sources with entry points are compiled twice, for MPI_ names and for PMPI_ names: mpi_send_ calls MPI_Send,
// which a tool may have in its hands, and pmpi_send_ calls PMPI_Send.
#pragma once

#include <mpi.h>

#include <cstddef>

#ifdef ANTIPHON_FORTRAN_PROFILING
#define ANTIPHON_ENTRY(name) p##name
#define ANTIPHON_CALL(name) P##name
#else
#define ANTIPHON_ENTRY(name) name
#define ANTIPHON_CALL(name) name
#endif

// Another name of an entry point: procedures without choice buffers look the same from mpif.h, mpi and mpi_f08.
#define ANTIPHON_ALIAS_TEXT(text) #text
#define ANTIPHON_ALIAS_OF(name) ANTIPHON_ALIAS_TEXT(name)
#define ANTIPHON_ALIAS(name, target)                    \
  decltype(ANTIPHON_ENTRY(target)) ANTIPHON_ENTRY(name) \
      __attribute__((alias(ANTIPHON_ALIAS_OF(ANTIPHON_ENTRY(target)))))

namespace antiphon::fortran {

// ierror is optional in mpi_f08.
inline void give(int* ierror, int code) {
  if (ierror) *ierror = code;
}

}  // namespace antiphon::fortran
