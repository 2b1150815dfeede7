/* The C interface of MPI 5.0 with the standard ABI. Generated from spec/ by gen/generate.py; change those. */

#ifndef ANTIPHON_MPI_H
#define ANTIPHON_MPI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef intptr_t MPI_Aint;
typedef int64_t MPI_Count;
typedef int MPI_Fint;

typedef struct MPI_ABI_Comm* MPI_Comm;
typedef struct MPI_ABI_Datatype* MPI_Datatype;
typedef struct MPI_ABI_Errhandler* MPI_Errhandler;
typedef struct MPI_ABI_Info* MPI_Info;
typedef struct MPI_ABI_Op* MPI_Op;
typedef struct MPI_ABI_Request* MPI_Request;

typedef struct MPI_ABI_Status {
  int MPI_SOURCE;
  int MPI_internal[5];
} MPI_Status;

typedef enum MPI_T_source_order {
  MPI_T_SOURCE_ORDERED = 0x1,
  MPI_T_SOURCE_UNORDERED = 0x2
} MPI_T_source_order;

typedef void (MPI_User_function)(void* invec, void* inoutvec, int* len, MPI_Datatype* datatype);
typedef void (MPI_User_function_c)(void* invec, void* inoutvec, MPI_Count* len, MPI_Datatype* datatype);
typedef int (MPI_Copy_function)(MPI_Comm comm, void* extra_state, int* flag); /* deprecated since MPI 2.0 */

typedef MPI_User_function MPI_Old_function;

#define MPI_VERSION 5

#define MPI_COMM_NULL ((MPI_Comm) 0x100)
#define MPI_COMM_WORLD ((MPI_Comm) 0x101)

#define MPI_LONG_LONG ((MPI_Datatype) 0x20b)
#define MPI_LONG_LONG_INT MPI_LONG_LONG
#define MPI_2INT ((MPI_Datatype) 0x22b)

#define MPI_BOTTOM ((void*) 0)
#define MPI_IN_PLACE ((void*) 0x1)

#define MPI_DISPLACEMENT_CURRENT ((MPI_Offset) (-1))

#define MPI_ANY_SOURCE (-1)
#define MPI_HOST 503 /* deprecated since MPI 4.1 */

#define MPI_SUCCESS 0
#define MPI_ERR_RANK 6
#define MPI_ERR_LASTCODE 16383

/* sample */
int MPI_Barrier(MPI_Comm comm);
int PMPI_Barrier(MPI_Comm comm);
int MPI_Bcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm);
int PMPI_Bcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm);
int MPI_Bcast_init(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Info info,
    MPI_Request* request);
int PMPI_Bcast_init(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Info info,
    MPI_Request* request);
int MPI_Bcast_init_c(void* buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Info info,
    MPI_Request* request);
int PMPI_Bcast_init_c(void* buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Info info,
    MPI_Request* request);
int MPI_Comm_create_from_group(MPI_Info info, MPI_Errhandler errhandler, MPI_Comm* newcomm);
int PMPI_Comm_create_from_group(MPI_Info info, MPI_Errhandler errhandler, MPI_Comm* newcomm);
int MPI_Comm_toint(MPI_Comm comm);
int PMPI_Comm_toint(MPI_Comm comm);
int MPI_Gatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
    const int displs[], int root, MPI_Comm comm);
int PMPI_Gatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
    const int displs[], int root, MPI_Comm comm);
int MPI_Gatherv_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
    const MPI_Count recvcounts[], const MPI_Aint displs[], int root, MPI_Comm comm);
int PMPI_Gatherv_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
    const MPI_Count recvcounts[], const MPI_Aint displs[], int root, MPI_Comm comm);
int MPI_Get_count(const MPI_Status* status, MPI_Datatype datatype, int* count);
int PMPI_Get_count(const MPI_Status* status, MPI_Datatype datatype, int* count);
int MPI_Get_count_c(const MPI_Status* status, MPI_Datatype datatype, MPI_Count* count);
int PMPI_Get_count_c(const MPI_Status* status, MPI_Datatype datatype, MPI_Count* count);
int MPI_Ibcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Request* request);
int PMPI_Ibcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Request* request);
int MPI_Info_set(MPI_Info info, const char* key);
int PMPI_Info_set(MPI_Info info, const char* key);
int MPI_Initialized(int* flag);
int PMPI_Initialized(int* flag);
int MPI_Keyval_free(int* keyval); /* deprecated since MPI 2.0 */
int PMPI_Keyval_free(int* keyval); /* deprecated since MPI 2.0 */
int MPI_Op_create(MPI_User_function* user_fn, int commute, MPI_Op* op);
int PMPI_Op_create(MPI_User_function* user_fn, int commute, MPI_Op* op);
int MPI_Op_create_c(MPI_User_function_c* user_fn, int commute, MPI_Op* op);
int PMPI_Op_create_c(MPI_User_function_c* user_fn, int commute, MPI_Op* op);
int MPI_Pack(const void* inbuf, int* position, MPI_Info info, MPI_Comm comm);
int PMPI_Pack(const void* inbuf, int* position, MPI_Info info, MPI_Comm comm);
int MPI_Pack_c(const void* inbuf, MPI_Count* position, MPI_Info info, MPI_Comm comm);
int PMPI_Pack_c(const void* inbuf, MPI_Count* position, MPI_Info info, MPI_Comm comm);
int MPI_Pcontrol(const int level, ...);
int PMPI_Pcontrol(const int level, ...);
int MPI_Send(const void* buf, int count, MPI_Datatype datatype, int dest, MPI_Comm comm);
int PMPI_Send(const void* buf, int count, MPI_Datatype datatype, int dest, MPI_Comm comm);
int MPI_Send_c(const void* buf, MPI_Count count, MPI_Datatype datatype, int dest, MPI_Comm comm);
int PMPI_Send_c(const void* buf, MPI_Count count, MPI_Datatype datatype, int dest, MPI_Comm comm);
int MPI_Type_get_extent(MPI_Datatype datatype, MPI_Aint* extent);
int PMPI_Type_get_extent(MPI_Datatype datatype, MPI_Aint* extent);
int MPI_Type_get_extent_c(MPI_Datatype datatype, MPI_Count* extent);
int PMPI_Type_get_extent_c(MPI_Datatype datatype, MPI_Count* extent);
int MPI_Type_get_contents(MPI_Datatype datatype, MPI_Aint array_of_addresses[]);
int PMPI_Type_get_contents(MPI_Datatype datatype, MPI_Aint array_of_addresses[]);
int MPI_Type_get_contents_c(MPI_Datatype datatype, MPI_Count max_large_counts, MPI_Aint array_of_addresses[],
    MPI_Aint array_of_large_counts[]);
int PMPI_Type_get_contents_c(MPI_Datatype datatype, MPI_Count max_large_counts, MPI_Aint array_of_addresses[],
    MPI_Aint array_of_large_counts[]);
int MPI_Waitall(int count, MPI_Request array_of_requests[], MPI_Status* array_of_statuses);
int PMPI_Waitall(int count, MPI_Request array_of_requests[], MPI_Status* array_of_statuses);
double MPI_Wtime(void);
double PMPI_Wtime(void);

#define MPI_Comm_c2f(handle) ((MPI_Fint) MPI_Comm_toint(handle))
#define MPI_Comm_f2c(integer) MPI_Comm_fromint((int) (integer))

/* Statuses of Fortran, in libantiphon_fortran: what links with mpifort has it. */
typedef MPI_Status MPI_F08_status;
int MPI_Status_c2f(const MPI_Status* c_status, MPI_Fint* f_status);
int PMPI_Status_c2f(const MPI_Status* c_status, MPI_Fint* f_status);
int MPI_Status_f2c(const MPI_Fint* f_status, MPI_Status* c_status);
int PMPI_Status_f2c(const MPI_Fint* f_status, MPI_Status* c_status);
int MPI_Status_c2f08(const MPI_Status* c_status, MPI_F08_status* f08_status);
int PMPI_Status_c2f08(const MPI_Status* c_status, MPI_F08_status* f08_status);
int MPI_Status_f082c(const MPI_F08_status* f08_status, MPI_Status* c_status);
int PMPI_Status_f082c(const MPI_F08_status* f08_status, MPI_Status* c_status);
int MPI_Status_f2f08(const MPI_Fint* f_status, MPI_F08_status* f08_status);
int PMPI_Status_f2f08(const MPI_Fint* f_status, MPI_F08_status* f08_status);
int MPI_Status_f082f(const MPI_F08_status* f08_status, MPI_Fint* f_status);
int PMPI_Status_f082f(const MPI_F08_status* f08_status, MPI_Fint* f_status);

/* Removed from the standard: a program that uses one of these does not compile, and is told what replaced it. With
   ANTIPHON_OWN_REMOVED_NAMES it may define them itself. */
#if defined(__has_attribute) && !defined(ANTIPHON_OWN_REMOVED_NAMES)
#if __has_attribute(unavailable)
#ifndef MPI_Errhandler_set
int MPI_Errhandler_set(MPI_Comm comm, MPI_Errhandler errhandler)
    __attribute__((unavailable("MPI 3.0 removed it; use MPI_Comm_set_errhandler")));
#endif
#ifndef MPI_UB
extern const MPI_Datatype MPI_UB
    __attribute__((unavailable("MPI 3.0 removed it; use MPI_Type_create_resized")));
#endif
#endif
#endif

#ifdef __cplusplus
}
#endif

/* The C++ binding of MPI-2.2, if asked for. */
#if defined(__cplusplus) && defined(ANTIPHON_MPI_CXX)
#include <mpicxx.h>
#endif

#endif /* ANTIPHON_MPI_H */
