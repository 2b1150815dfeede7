! One program, three times: F08 for mpi_f08, MPI for mpi, and otherwise mpif.h.
! A module that has MPI in one of these ways has it for those who use the module, too.
#if defined(F08)
#define USE_MPI use mpi_f08
#define INCLUDE_MPI
#define HANDLE(name) type(name)
#define STATUS type(MPI_Status)
#define STATUSES(n) type(MPI_Status), dimension(n)
#define SOURCE_OF(s) s%MPI_SOURCE
#define TAG_OF(s) s%MPI_TAG
#define SOURCE_AT(s, i) s(i)%MPI_SOURCE
#else
#define HANDLE(name) integer
#define STATUS integer, dimension(MPI_STATUS_SIZE)
#define STATUSES(n) integer, dimension(MPI_STATUS_SIZE, n)
#define SOURCE_OF(s) s(MPI_SOURCE)
#define TAG_OF(s) s(MPI_TAG)
#define SOURCE_AT(s, i) s(MPI_SOURCE, i)
#if defined(MPI)
#define USE_MPI use mpi
#define INCLUDE_MPI
#else
#define USE_MPI
#define INCLUDE_MPI include 'mpif.h'
#endif
#endif
