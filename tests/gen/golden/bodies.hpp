// The hand-written bodies of src/api: one function a procedure, which the plain and the large-count variant both
// reach, with handles resolved and counts at full width. Of collectives, all three forms reach it, and `later` is where
// the plan of what is not to be done now goes, or null. A body throws base::Error when it fails.
// Generated from spec/ by gen/generate.py; change those.
#pragma once

#include "api/arrays.hpp"
#include "mpi.h"

namespace antiphon::process {
class Process;
}

namespace antiphon::coll {
struct Deferred;
}

namespace antiphon::objects {
class Comm;
class Datatype;
class Errhandler;
class Info;
class Op;
}  // namespace antiphon::objects

namespace antiphon::api {

class Call;
using process::Process;

void bcast(Process& process, void* buffer, MPI_Count count, const objects::Datatype& datatype, int root,
    objects::Comm& comm, coll::Deferred* later);
void comm_create_from_group(Process& process, const objects::Info* info, objects::Errhandler& errhandler,
    MPI_Comm* newcomm);
int comm_toint(MPI_Comm comm);
void gatherv(Process& process, const void* sendbuf, MPI_Count sendcount, const objects::Datatype* sendtype,
    void* recvbuf, CountArray recvcounts, DisplacementArray displs, int root, objects::Comm& comm);
void get_count(Process& process, const MPI_Status* status, const objects::Datatype& datatype, MPI_Count* count);
void info_set(Call& call, objects::Info& info, const char* key);
void initialized(Call& call, int* flag);
void keyval_free(Process& process, int* keyval);
void op_create(Process& process, EitherFunction<MPI_User_function, MPI_User_function_c> user_fn, int commute,
    MPI_Op* op);
void pack(Process& process, const void* inbuf, MPI_Count* position, const objects::Info* info, objects::Comm& comm);
void pcontrol(Process& process, int level);
void send(Process& process, const void* buf, MPI_Count count, const objects::Datatype& datatype, int dest,
    objects::Comm& comm);
void type_get_extent(Process& process, const objects::Datatype& datatype, MPI_Count* extent);
void type_get_contents(Process& process, const objects::Datatype& datatype, MPI_Count max_large_counts,
    MPI_Aint array_of_addresses[], MPI_Aint array_of_large_counts[]);
void waitall(Process& process, int count, MPI_Request array_of_requests[], MPI_Status* array_of_statuses);
double wtime();

}  // namespace antiphon::api
