// The entry points of sample for Fortran. Generated from spec/ by gen/generate.py; change those.
#include "arguments.hpp"
#include "fortran.hpp"
#include "functions.hpp"
#include "handles.hpp"
#include "scratch.hpp"
#include "section.hpp"
#include "sentinels.hpp"

using namespace antiphon::fortran;

extern "C" {

void ANTIPHON_ENTRY(mpi_bcast_)(void* buffer, const int* count, const int* datatype, const int* root, const int* comm,
    int* ierror) {
  give(ierror, ANTIPHON_CALL(MPI_Bcast)(buffer_address(buffer), *count, from<MPI_Datatype>(datatype), *root,
      from<MPI_Comm>(comm)));
}
void ANTIPHON_ENTRY(mpi_bcast_f08ts_)(CFI_cdesc_t* buffer, const int* count, const int* datatype, const int* root,
    const int* comm, int* ierror) {
  const Section<int> buffer_section(buffer, *count, datatype);
  if (buffer_section.error() != MPI_SUCCESS) return give(ierror, raise(from<MPI_Comm>(comm), buffer_section.error()));
  give(ierror, ANTIPHON_CALL(MPI_Bcast)(buffer_section.address(), buffer_section.count(), buffer_section.type(),
      *root, from<MPI_Comm>(comm)));
}

void ANTIPHON_ENTRY(mpi_bcast_init_)(void* buffer, const int* count, const int* datatype, const int* root,
    const int* comm, const int* info, int* request, int* ierror) {
  give(ierror, ANTIPHON_CALL(MPI_Bcast_init)(buffer_address(buffer), *count, from<MPI_Datatype>(datatype), *root,
      from<MPI_Comm>(comm), from<MPI_Info>(info), Out<MPI_Request>(request)));
}
void ANTIPHON_ENTRY(mpi_bcast_init_f08ts_)(CFI_cdesc_t* buffer, const int* count, const int* datatype,
    const int* root, const int* comm, const int* info, int* request, int* ierror) {
  const Section<int> buffer_section(buffer, *count, datatype);
  if (buffer_section.error() != MPI_SUCCESS) return give(ierror, raise(from<MPI_Comm>(comm), buffer_section.error()));
  give(ierror, ANTIPHON_CALL(MPI_Bcast_init)(buffer_section.address(), buffer_section.count(), buffer_section.type(),
      *root, from<MPI_Comm>(comm), from<MPI_Info>(info), Out<MPI_Request>(request)));
}
void ANTIPHON_ENTRY(mpi_bcast_init_c_f08ts_)(CFI_cdesc_t* buffer, const MPI_Count* count, const int* datatype,
    const int* root, const int* comm, const int* info, int* request, int* ierror) {
  const Section<MPI_Count> buffer_section(buffer, *count, datatype);
  if (buffer_section.error() != MPI_SUCCESS) return give(ierror, raise(from<MPI_Comm>(comm), buffer_section.error()));
  give(ierror, ANTIPHON_CALL(MPI_Bcast_init_c)(buffer_section.address(), buffer_section.count(),
      buffer_section.type(), *root, from<MPI_Comm>(comm), from<MPI_Info>(info), Out<MPI_Request>(request)));
}

void ANTIPHON_ENTRY(mpi_comm_create_from_group_)(const int* info, const int* errhandler, int* newcomm, int* ierror) {
  give(ierror, ANTIPHON_CALL(MPI_Comm_create_from_group)(from<MPI_Info>(info), from<MPI_Errhandler>(errhandler),
      Out<MPI_Comm>(newcomm)));
}
ANTIPHON_ALIAS(mpi_comm_create_from_group_f08_, mpi_comm_create_from_group_);

void ANTIPHON_ENTRY(mpi_gatherv_)(void* sendbuf, const int* sendcount, const int* sendtype, void* recvbuf,
    const int* recvcounts, const int* displs, const int* root, const int* comm, int* ierror) {
  give(ierror, ANTIPHON_CALL(MPI_Gatherv)(buffer_address(sendbuf), *sendcount, from<MPI_Datatype>(sendtype),
      buffer_address(recvbuf), recvcounts, displs, *root, from<MPI_Comm>(comm)));
}
void ANTIPHON_ENTRY(mpi_gatherv_f08ts_)(CFI_cdesc_t* sendbuf, const int* sendcount, const int* sendtype,
    CFI_cdesc_t* recvbuf, const int* recvcounts, const int* displs, const int* root, const int* comm, int* ierror) {
  const Section<int> sendbuf_section(sendbuf, *sendcount, sendtype);
  Scratch recvbuf_buffer(recvbuf, Scratch::Use::written);
  if (sendbuf_section.error() != MPI_SUCCESS) return give(ierror, raise(from<MPI_Comm>(comm), sendbuf_section.error()));
  give(ierror, ANTIPHON_CALL(MPI_Gatherv)(sendbuf_section.address(), sendbuf_section.count(), sendbuf_section.type(),
      recvbuf_buffer.address(), recvcounts, displs, *root, from<MPI_Comm>(comm)));
}
void ANTIPHON_ENTRY(mpi_gatherv_c_f08ts_)(CFI_cdesc_t* sendbuf, const MPI_Count* sendcount, const int* sendtype,
    CFI_cdesc_t* recvbuf, const MPI_Count* recvcounts, const MPI_Aint* displs, const int* root, const int* comm,
    int* ierror) {
  const Section<MPI_Count> sendbuf_section(sendbuf, *sendcount, sendtype);
  Scratch recvbuf_buffer(recvbuf, Scratch::Use::written);
  if (sendbuf_section.error() != MPI_SUCCESS) return give(ierror, raise(from<MPI_Comm>(comm), sendbuf_section.error()));
  give(ierror, ANTIPHON_CALL(MPI_Gatherv_c)(sendbuf_section.address(), sendbuf_section.count(),
      sendbuf_section.type(), recvbuf_buffer.address(), recvcounts, displs, *root, from<MPI_Comm>(comm)));
}

void ANTIPHON_ENTRY(mpi_get_count_)(const int* status, const int* datatype, int* count, int* ierror) {
  give(ierror, ANTIPHON_CALL(MPI_Get_count)(status_of(status), from<MPI_Datatype>(datatype), count));
}
ANTIPHON_ALIAS(mpi_get_count_f08_, mpi_get_count_);
void ANTIPHON_ENTRY(mpi_get_count_c_f08_)(const int* status, const int* datatype, MPI_Count* count, int* ierror) {
  give(ierror, ANTIPHON_CALL(MPI_Get_count_c)(status_of(status), from<MPI_Datatype>(datatype), count));
}

void ANTIPHON_ENTRY(mpi_ibcast_)(void* buffer, const int* count, const int* datatype, const int* root,
    const int* comm, int* request, int* ierror) {
  give(ierror, ANTIPHON_CALL(MPI_Ibcast)(buffer_address(buffer), *count, from<MPI_Datatype>(datatype), *root,
      from<MPI_Comm>(comm), Out<MPI_Request>(request)));
}
void ANTIPHON_ENTRY(mpi_ibcast_f08ts_)(CFI_cdesc_t* buffer, const int* count, const int* datatype, const int* root,
    const int* comm, int* request, int* ierror) {
  const Section<int> buffer_section(buffer, *count, datatype);
  if (buffer_section.error() != MPI_SUCCESS) return give(ierror, raise(from<MPI_Comm>(comm), buffer_section.error()));
  give(ierror, ANTIPHON_CALL(MPI_Ibcast)(buffer_section.address(), buffer_section.count(), buffer_section.type(),
      *root, from<MPI_Comm>(comm), Out<MPI_Request>(request)));
}

void ANTIPHON_ENTRY(mpi_info_set_)(const int* info, const char* key, int* ierror, std::size_t key_length) {
  give(ierror, ANTIPHON_CALL(MPI_Info_set)(from<MPI_Info>(info), Stripped_text(key, key_length)));
}
ANTIPHON_ALIAS(mpi_info_set_f08_, mpi_info_set_);

void ANTIPHON_ENTRY(mpi_initialized_)(int* flag, int* ierror) {
  give(ierror, ANTIPHON_CALL(MPI_Initialized)(Out_logical(flag)));
}
ANTIPHON_ALIAS(mpi_initialized_f08_, mpi_initialized_);

void ANTIPHON_ENTRY(mpi_keyval_free_)(int* keyval, int* ierror) {
  give(ierror, ANTIPHON_CALL(MPI_Keyval_free)(Out_logical(keyval)));
}
ANTIPHON_ALIAS(mpi_keyval_free_f08_, mpi_keyval_free_);

void ANTIPHON_ENTRY(mpi_op_create_)(Fortran_operation* user_fn, const int* commute, int* op, int* ierror) {
  give(ierror, ANTIPHON_CALL(MPI_Op_create)(operation(user_fn), truth(commute), Out<MPI_Op>(op)));
}
ANTIPHON_ALIAS(mpi_op_create_f08_, mpi_op_create_);
void ANTIPHON_ENTRY(mpi_op_create_c_f08_)(Fortran_operation_c* user_fn, const int* commute, int* op, int* ierror) {
  give(ierror, ANTIPHON_CALL(MPI_Op_create_c)(operation_c(user_fn), truth(commute), Out<MPI_Op>(op)));
}

void ANTIPHON_ENTRY(mpi_pack_)(void* inbuf, int* position, const int* info, const int* comm, int* ierror) {
  give(ierror, ANTIPHON_CALL(MPI_Pack)(buffer_address(inbuf), position, from<MPI_Info>(info), from<MPI_Comm>(comm)));
}
void ANTIPHON_ENTRY(mpi_pack_f08ts_)(CFI_cdesc_t* inbuf, int* position, const int* info, const int* comm,
    int* ierror) {
  give(ierror, ANTIPHON_CALL(MPI_Pack)(buffer_address(inbuf->base_addr), position, from<MPI_Info>(info),
      from<MPI_Comm>(comm)));
}
void ANTIPHON_ENTRY(mpi_pack_c_f08ts_)(CFI_cdesc_t* inbuf, MPI_Count* position, const int* info, const int* comm,
    int* ierror) {
  give(ierror, ANTIPHON_CALL(MPI_Pack_c)(buffer_address(inbuf->base_addr), position, from<MPI_Info>(info),
      from<MPI_Comm>(comm)));
}

void ANTIPHON_ENTRY(mpi_pcontrol_)(const int* level) {
  ANTIPHON_CALL(MPI_Pcontrol)(truth(level));
}
ANTIPHON_ALIAS(mpi_pcontrol_f08_, mpi_pcontrol_);

void ANTIPHON_ENTRY(mpi_send_)(void* buf, const int* count, const int* datatype, const int* dest, const int* comm,
    int* ierror) {
  give(ierror, ANTIPHON_CALL(MPI_Send)(buffer_address(buf), *count, from<MPI_Datatype>(datatype), *dest,
      from<MPI_Comm>(comm)));
}
void ANTIPHON_ENTRY(mpi_send_f08ts_)(CFI_cdesc_t* buf, const int* count, const int* datatype, const int* dest,
    const int* comm, int* ierror) {
  const Section<int> buf_section(buf, *count, datatype);
  if (buf_section.error() != MPI_SUCCESS) return give(ierror, raise(from<MPI_Comm>(comm), buf_section.error()));
  give(ierror, ANTIPHON_CALL(MPI_Send)(buf_section.address(), buf_section.count(), buf_section.type(), *dest,
      from<MPI_Comm>(comm)));
}
void ANTIPHON_ENTRY(mpi_send_c_f08ts_)(CFI_cdesc_t* buf, const MPI_Count* count, const int* datatype, const int* dest,
    const int* comm, int* ierror) {
  const Section<MPI_Count> buf_section(buf, *count, datatype);
  if (buf_section.error() != MPI_SUCCESS) return give(ierror, raise(from<MPI_Comm>(comm), buf_section.error()));
  give(ierror, ANTIPHON_CALL(MPI_Send_c)(buf_section.address(), buf_section.count(), buf_section.type(), *dest,
      from<MPI_Comm>(comm)));
}

void ANTIPHON_ENTRY(mpi_type_get_extent_)(const int* datatype, MPI_Aint* extent, int* ierror) {
  give(ierror, ANTIPHON_CALL(MPI_Type_get_extent)(from<MPI_Datatype>(datatype), extent));
}
ANTIPHON_ALIAS(mpi_type_get_extent_f08_, mpi_type_get_extent_);

void ANTIPHON_ENTRY(mpi_type_get_contents_)(const int* datatype, MPI_Aint* array_of_addresses, int* ierror) {
  give(ierror, ANTIPHON_CALL(MPI_Type_get_contents)(from<MPI_Datatype>(datatype), array_of_addresses));
}
ANTIPHON_ALIAS(mpi_type_get_contents_f08_, mpi_type_get_contents_);
void ANTIPHON_ENTRY(mpi_type_get_contents_c_f08_)(const int* datatype, const MPI_Count* max_large_counts,
    MPI_Aint* array_of_addresses, MPI_Aint* array_of_large_counts, int* ierror) {
  give(ierror, ANTIPHON_CALL(MPI_Type_get_contents_c)(from<MPI_Datatype>(datatype), *max_large_counts,
      array_of_addresses, array_of_large_counts));
}

void ANTIPHON_ENTRY(mpi_waitall_)(const int* count, int* array_of_requests, int* array_of_statuses, int* ierror) {
  give(ierror, ANTIPHON_CALL(MPI_Waitall)(*count, InOut_array<MPI_Request>(array_of_requests, *count),
      statuses_of(array_of_statuses)));
}
ANTIPHON_ALIAS(mpi_waitall_f08_, mpi_waitall_);

double ANTIPHON_ENTRY(mpi_wtime_)() {
  return ANTIPHON_CALL(MPI_Wtime)();
}
ANTIPHON_ALIAS(mpi_wtime_f08_, mpi_wtime_);

}  // extern "C"
