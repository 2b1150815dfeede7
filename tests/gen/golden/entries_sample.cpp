// C entry points of the chapter "sample". Generated from spec/ by gen/generate.py; change those.
#include "api/bodies.hpp"
#include "api/call.hpp"
#include "api/collectives/agreed.hpp"
#include "api/collectives/later.hpp"
#include "api/short.hpp"
#include "mpi.h"

#pragma GCC visibility push(default)
extern "C" {

int PMPI_Bcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm) {
  antiphon::api::Call call{"MPI_Bcast"};
  try {
    auto& process = call.process();
    auto& comm_ = call.comm(comm, "comm");
    call.needs_memory();
    antiphon::api::Agreed agreed(process, comm_);
    const auto& datatype_ = call.datatype(datatype, "datatype");
    agreed.on({.root = root, .bytes = antiphon::api::Agreed::bytes(count, datatype_)});
    antiphon::api::bcast(process, buffer, count, datatype_, root, comm_, nullptr);
    return call.succeed();
  } catch (...) {
    call.fail_in_collective();
  }
  return call.raise();
}
int MPI_Bcast(void* buffer, int count, MPI_Datatype datatype, int root,
    MPI_Comm comm) __attribute__((weak, alias("PMPI_Bcast")));

int PMPI_Bcast_init(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Info info,
    MPI_Request* request) {
  antiphon::api::Call call{"MPI_Bcast_init"};
  try {
    auto& process = call.process();
    auto& comm_ = call.comm(comm, "comm");
    call.needs_memory();
    const auto& datatype_ = call.datatype(datatype, "datatype");
    const auto* info_ = call.info_or_null(info, "info");
    antiphon::api::Persistent later(process, comm_, info_, request);
    antiphon::api::bcast(process, buffer, count, datatype_, root, comm_, later.deferred());
    later.hand_out();
    return call.succeed();
  } catch (...) {
    call.fail_in_later_collective();
  }
  return call.raise();
}
int MPI_Bcast_init(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Info info,
    MPI_Request* request) __attribute__((weak, alias("PMPI_Bcast_init")));

int PMPI_Bcast_init_c(void* buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Info info,
    MPI_Request* request) {
  antiphon::api::Call call{"MPI_Bcast_init_c"};
  try {
    auto& process = call.process();
    auto& comm_ = call.comm(comm, "comm");
    call.needs_memory();
    const auto& datatype_ = call.datatype(datatype, "datatype");
    const auto* info_ = call.info_or_null(info, "info");
    antiphon::api::Persistent later(process, comm_, info_, request);
    antiphon::api::bcast(process, buffer, count, datatype_, root, comm_, later.deferred());
    later.hand_out();
    return call.succeed();
  } catch (...) {
    call.fail_in_later_collective();
  }
  return call.raise();
}
int MPI_Bcast_init_c(void* buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Info info,
    MPI_Request* request) __attribute__((weak, alias("PMPI_Bcast_init_c")));

int PMPI_Comm_create_from_group(MPI_Info info, MPI_Errhandler errhandler, MPI_Comm* newcomm) {
  antiphon::api::Call call{"MPI_Comm_create_from_group"};
  try {
    auto& process = call.process();
    auto& errhandler_ = call.errhandler_of_new_comm(errhandler, "errhandler");
    call.needs_memory();
    const auto* info_ = call.info_or_null(info, "info");
    antiphon::api::comm_create_from_group(process, info_, errhandler_, newcomm);
    return call.succeed();
  } catch (...) {
    call.fail();
  }
  return call.raise();
}
int MPI_Comm_create_from_group(MPI_Info info, MPI_Errhandler errhandler,
    MPI_Comm* newcomm) __attribute__((weak, alias("PMPI_Comm_create_from_group")));

int PMPI_Comm_toint(MPI_Comm comm) {
  return antiphon::api::comm_toint(comm);
}
int MPI_Comm_toint(MPI_Comm comm) __attribute__((weak, alias("PMPI_Comm_toint")));

int PMPI_Gatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
    const int displs[], int root, MPI_Comm comm) {
  antiphon::api::Call call{"MPI_Gatherv"};
  try {
    auto& process = call.process();
    auto& comm_ = call.comm(comm, "comm");
    call.needs_memory();
    const auto* sendtype_ = call.datatype_or_null(sendtype, "sendtype");
    antiphon::api::gatherv(process, sendbuf, sendcount, sendtype_, recvbuf, recvcounts, displs, root, comm_);
    return call.succeed();
  } catch (...) {
    call.fail();
  }
  return call.raise();
}
int MPI_Gatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
    const int displs[], int root, MPI_Comm comm) __attribute__((weak, alias("PMPI_Gatherv")));

int PMPI_Gatherv_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
    const MPI_Count recvcounts[], const MPI_Aint displs[], int root, MPI_Comm comm) {
  antiphon::api::Call call{"MPI_Gatherv_c"};
  try {
    auto& process = call.process();
    auto& comm_ = call.comm(comm, "comm");
    call.needs_memory();
    const auto* sendtype_ = call.datatype_or_null(sendtype, "sendtype");
    antiphon::api::gatherv(process, sendbuf, sendcount, sendtype_, recvbuf, recvcounts, displs, root, comm_);
    return call.succeed();
  } catch (...) {
    call.fail();
  }
  return call.raise();
}
int MPI_Gatherv_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
    const MPI_Count recvcounts[], const MPI_Aint displs[], int root,
    MPI_Comm comm) __attribute__((weak, alias("PMPI_Gatherv_c")));

[[gnu::noinline]] static int long_MPI_Get_count(const MPI_Status* status, MPI_Datatype datatype, int* count) {
  antiphon::api::Call call{"MPI_Get_count"};
  try {
    auto& process = call.process();
    const auto& datatype_ = call.datatype(datatype, "datatype");
    auto count_ = antiphon::api::Narrowed(count, "count");
    antiphon::api::get_count(process, status, datatype_, count_.wide());
    count_.store_or_undefined();
    return call.succeed();
  } catch (...) {
    call.fail();
  }
  return call.raise();
}
int PMPI_Get_count(const MPI_Status* status, MPI_Datatype datatype, int* count) {
  if (antiphon::api::try_get_count(status, datatype, count)) [[likely]]
    return MPI_SUCCESS;
  return long_MPI_Get_count(status, datatype, count);
}
int MPI_Get_count(const MPI_Status* status, MPI_Datatype datatype,
    int* count) __attribute__((weak, alias("PMPI_Get_count")));

int PMPI_Get_count_c(const MPI_Status* status, MPI_Datatype datatype, MPI_Count* count) {
  antiphon::api::Call call{"MPI_Get_count_c"};
  try {
    auto& process = call.process();
    const auto& datatype_ = call.datatype(datatype, "datatype");
    antiphon::api::get_count(process, status, datatype_, count);
    return call.succeed();
  } catch (...) {
    call.fail();
  }
  return call.raise();
}
int MPI_Get_count_c(const MPI_Status* status, MPI_Datatype datatype,
    MPI_Count* count) __attribute__((weak, alias("PMPI_Get_count_c")));

int PMPI_Ibcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Request* request) {
  antiphon::api::Call call{"MPI_Ibcast"};
  try {
    auto& process = call.process();
    auto& comm_ = call.comm(comm, "comm");
    call.needs_memory();
    const auto& datatype_ = call.datatype(datatype, "datatype");
    antiphon::api::Nonblocking later(process, comm_, request);
    antiphon::api::bcast(process, buffer, count, datatype_, root, comm_, later.deferred());
    later.hand_out();
    return call.succeed();
  } catch (...) {
    call.fail_in_later_collective();
  }
  return call.raise();
}
int MPI_Ibcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm,
    MPI_Request* request) __attribute__((weak, alias("PMPI_Ibcast")));

int PMPI_Info_set(MPI_Info info, const char* key) {
  antiphon::api::Call call{"MPI_Info_set"};
  try {
    auto& info_ = call.info(info, "info");
    antiphon::api::info_set(call, info_, key);
    return call.succeed();
  } catch (...) {
    call.fail();
  }
  return call.raise();
}
int MPI_Info_set(MPI_Info info, const char* key) __attribute__((weak, alias("PMPI_Info_set")));

int PMPI_Initialized(int* flag) {
  antiphon::api::Call call{"MPI_Initialized"};
  try {
    antiphon::api::initialized(call, flag);
    return call.succeed();
  } catch (...) {
    call.fail();
  }
  return call.raise();
}
int MPI_Initialized(int* flag) __attribute__((weak, alias("PMPI_Initialized")));

int PMPI_Keyval_free(int* keyval) {
  antiphon::api::Call call{"MPI_Keyval_free"};
  try {
    auto& process = call.process();
    antiphon::api::keyval_free(process, keyval);
    return call.succeed();
  } catch (...) {
    call.fail();
  }
  return call.raise();
}
int MPI_Keyval_free(int* keyval) __attribute__((weak, alias("PMPI_Keyval_free")));

int PMPI_Op_create(MPI_User_function* user_fn, int commute, MPI_Op* op) {
  antiphon::api::Call call{"MPI_Op_create"};
  try {
    auto& process = call.process();
    call.needs_memory();
    antiphon::api::op_create(process, user_fn, commute, op);
    return call.succeed();
  } catch (...) {
    call.fail();
  }
  return call.raise();
}
int MPI_Op_create(MPI_User_function* user_fn, int commute, MPI_Op* op) __attribute__((weak, alias("PMPI_Op_create")));

int PMPI_Op_create_c(MPI_User_function_c* user_fn, int commute, MPI_Op* op) {
  antiphon::api::Call call{"MPI_Op_create_c"};
  try {
    auto& process = call.process();
    call.needs_memory();
    antiphon::api::op_create(process, user_fn, commute, op);
    return call.succeed();
  } catch (...) {
    call.fail();
  }
  return call.raise();
}
int MPI_Op_create_c(MPI_User_function_c* user_fn, int commute,
    MPI_Op* op) __attribute__((weak, alias("PMPI_Op_create_c")));

int PMPI_Pack(const void* inbuf, int* position, MPI_Info info, MPI_Comm comm) {
  antiphon::api::Call call{"MPI_Pack"};
  try {
    auto& process = call.process();
    auto& comm_ = call.comm(comm, "comm");
    auto position_ = antiphon::api::Narrowed::in_out(position, "position");
    const auto* info_ = call.info_or_null(info, "info");
    antiphon::api::pack(process, inbuf, position_.wide(), info_, comm_);
    position_.store();
    return call.succeed();
  } catch (...) {
    call.fail();
  }
  return call.raise();
}
int MPI_Pack(const void* inbuf, int* position, MPI_Info info,
    MPI_Comm comm) __attribute__((weak, alias("PMPI_Pack")));

int PMPI_Pack_c(const void* inbuf, MPI_Count* position, MPI_Info info, MPI_Comm comm) {
  antiphon::api::Call call{"MPI_Pack_c"};
  try {
    auto& process = call.process();
    auto& comm_ = call.comm(comm, "comm");
    const auto* info_ = call.info_or_null(info, "info");
    antiphon::api::pack(process, inbuf, position, info_, comm_);
    return call.succeed();
  } catch (...) {
    call.fail();
  }
  return call.raise();
}
int MPI_Pack_c(const void* inbuf, MPI_Count* position, MPI_Info info,
    MPI_Comm comm) __attribute__((weak, alias("PMPI_Pack_c")));

int PMPI_Pcontrol(const int level, ...) {
  antiphon::api::Call call{"MPI_Pcontrol"};
  try {
    auto& process = call.process();
    antiphon::api::pcontrol(process, level);
    return call.succeed();
  } catch (...) {
    call.fail();
  }
  return call.raise();
}
int MPI_Pcontrol(const int level, ...) __attribute__((weak, alias("PMPI_Pcontrol")));

[[gnu::noinline]] static int long_MPI_Send(const void* buf, int count, MPI_Datatype datatype, int dest,
    MPI_Comm comm) {
  antiphon::api::Call call{"MPI_Send"};
  try {
    auto& process = call.process();
    auto& comm_ = call.comm(comm, "comm");
    call.needs_memory();
    const auto& datatype_ = call.datatype(datatype, "datatype", dest);
    antiphon::api::send(process, buf, count, datatype_, dest, comm_);
    return call.succeed();
  } catch (...) {
    call.fail();
  }
  return call.raise();
}
int PMPI_Send(const void* buf, int count, MPI_Datatype datatype, int dest, MPI_Comm comm) {
  if (antiphon::api::try_send(buf, count, datatype, dest, comm)) [[likely]]
    return MPI_SUCCESS;
  return long_MPI_Send(buf, count, datatype, dest, comm);
}
int MPI_Send(const void* buf, int count, MPI_Datatype datatype, int dest,
    MPI_Comm comm) __attribute__((weak, alias("PMPI_Send")));

[[gnu::noinline]] static int long_MPI_Send_c(const void* buf, MPI_Count count, MPI_Datatype datatype, int dest,
    MPI_Comm comm) {
  antiphon::api::Call call{"MPI_Send_c"};
  try {
    auto& process = call.process();
    auto& comm_ = call.comm(comm, "comm");
    call.needs_memory();
    const auto& datatype_ = call.datatype(datatype, "datatype", dest);
    antiphon::api::send(process, buf, count, datatype_, dest, comm_);
    return call.succeed();
  } catch (...) {
    call.fail();
  }
  return call.raise();
}
int PMPI_Send_c(const void* buf, MPI_Count count, MPI_Datatype datatype, int dest, MPI_Comm comm) {
  if (static_cast<int>(count) == count &&
      antiphon::api::try_send(buf, static_cast<int>(count), datatype, dest, comm)) [[likely]]
    return MPI_SUCCESS;
  return long_MPI_Send_c(buf, count, datatype, dest, comm);
}
int MPI_Send_c(const void* buf, MPI_Count count, MPI_Datatype datatype, int dest,
    MPI_Comm comm) __attribute__((weak, alias("PMPI_Send_c")));

int PMPI_Type_get_extent(MPI_Datatype datatype, MPI_Aint* extent) {
  antiphon::api::Call call{"MPI_Type_get_extent"};
  try {
    auto& process = call.process();
    const auto& datatype_ = call.datatype(datatype, "datatype");
    antiphon::api::type_get_extent(process, datatype_, extent);
    return call.succeed();
  } catch (...) {
    call.fail();
  }
  return call.raise();
}
int MPI_Type_get_extent(MPI_Datatype datatype, MPI_Aint* extent) __attribute__((weak, alias("PMPI_Type_get_extent")));

int PMPI_Type_get_extent_c(MPI_Datatype datatype, MPI_Count* extent) {
  antiphon::api::Call call{"MPI_Type_get_extent_c"};
  try {
    auto& process = call.process();
    const auto& datatype_ = call.datatype(datatype, "datatype");
    antiphon::api::type_get_extent(process, datatype_, extent);
    return call.succeed();
  } catch (...) {
    call.fail();
  }
  return call.raise();
}
int MPI_Type_get_extent_c(MPI_Datatype datatype,
    MPI_Count* extent) __attribute__((weak, alias("PMPI_Type_get_extent_c")));

int PMPI_Type_get_contents(MPI_Datatype datatype, MPI_Aint array_of_addresses[]) {
  antiphon::api::Call call{"MPI_Type_get_contents"};
  try {
    auto& process = call.process();
    const auto& datatype_ = call.datatype(datatype, "datatype");
    antiphon::api::type_get_contents(process, datatype_, 0, array_of_addresses, nullptr);
    return call.succeed();
  } catch (...) {
    call.fail();
  }
  return call.raise();
}
int MPI_Type_get_contents(MPI_Datatype datatype,
    MPI_Aint array_of_addresses[]) __attribute__((weak, alias("PMPI_Type_get_contents")));

int PMPI_Type_get_contents_c(MPI_Datatype datatype, MPI_Count max_large_counts, MPI_Aint array_of_addresses[],
    MPI_Aint array_of_large_counts[]) {
  antiphon::api::Call call{"MPI_Type_get_contents_c"};
  try {
    auto& process = call.process();
    const auto& datatype_ = call.datatype(datatype, "datatype");
    antiphon::api::type_get_contents(process, datatype_, max_large_counts, array_of_addresses, array_of_large_counts);
    return call.succeed();
  } catch (...) {
    call.fail();
  }
  return call.raise();
}
int MPI_Type_get_contents_c(MPI_Datatype datatype, MPI_Count max_large_counts, MPI_Aint array_of_addresses[],
    MPI_Aint array_of_large_counts[]) __attribute__((weak, alias("PMPI_Type_get_contents_c")));

int PMPI_Waitall(int count, MPI_Request array_of_requests[], MPI_Status* array_of_statuses) {
  antiphon::api::Call call{"MPI_Waitall", antiphon::api::Call::WithoutLane{}};
  try {
    auto& process = call.process();
    call.check_status(array_of_statuses, "array_of_statuses");
    antiphon::api::waitall(process, count, array_of_requests, array_of_statuses);
    return call.succeed();
  } catch (...) {
    call.fail();
  }
  return call.raise();
}
int MPI_Waitall(int count, MPI_Request array_of_requests[],
    MPI_Status* array_of_statuses) __attribute__((weak, alias("PMPI_Waitall")));

double PMPI_Wtime() {
  return antiphon::api::wtime();
}
double MPI_Wtime() __attribute__((weak, alias("PMPI_Wtime")));

}  // extern "C"
#pragma GCC visibility pop
