! Generated from spec/ by gen/generate.py; change those.
module mpi_f08
  use, intrinsic :: iso_c_binding, only: c_ptr
  use antiphon_mpi_callbacks
  use antiphon_mpi_types
  use antiphon_mpi_constants
  implicit none
  private :: c_ptr
  logical, parameter :: MPI_SUBARRAYS_SUPPORTED = .true.
  logical, parameter :: MPI_ASYNC_PROTECTS_NONBLOCKING = .true.
  type(MPI_Comm), parameter :: MPI_COMM_NULL = MPI_Comm(256)
  type(MPI_Comm), parameter :: MPI_COMM_WORLD = MPI_Comm(257)
  type(MPI_Datatype), parameter :: MPI_LONG_LONG = MPI_Datatype(523)
  type(MPI_Datatype), parameter :: MPI_LONG_LONG_INT = MPI_LONG_LONG
  type(MPI_Datatype), parameter :: MPI_2INT = MPI_Datatype(555)
  type(MPI_Status) :: MPI_STATUS_IGNORE
  common /antiphon_mpi_status_ignore/ MPI_STATUS_IGNORE
  type(MPI_Status), dimension(1) :: MPI_STATUSES_IGNORE
  common /antiphon_mpi_statuses_ignore/ MPI_STATUSES_IGNORE
  procedure(MPI_Copy_function) :: MPI_NULL_COPY_FN
  procedure(MPI_Copy_function) :: MPI_DUP_FN
  procedure(MPI_Delete_function) :: MPI_NULL_DELETE_FN
  procedure(MPI_Comm_copy_attr_function) :: MPI_COMM_NULL_COPY_FN
  procedure(MPI_Comm_copy_attr_function) :: MPI_COMM_DUP_FN
  procedure(MPI_Comm_delete_attr_function) :: MPI_COMM_NULL_DELETE_FN
  procedure(MPI_Type_copy_attr_function) :: MPI_TYPE_NULL_COPY_FN
  procedure(MPI_Type_copy_attr_function) :: MPI_TYPE_DUP_FN
  procedure(MPI_Type_delete_attr_function) :: MPI_TYPE_NULL_DELETE_FN
  procedure(MPI_Win_copy_attr_function) :: MPI_WIN_NULL_COPY_FN
  procedure(MPI_Win_copy_attr_function) :: MPI_WIN_DUP_FN
  procedure(MPI_Win_delete_attr_function) :: MPI_WIN_NULL_DELETE_FN
  interface MPI_Bcast
    subroutine MPI_Bcast_f08ts(buffer, count, datatype, root, comm, ierror) bind(C, name="mpi_bcast_f08ts_")
      import
      type(*), dimension(..) :: buffer
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      integer, optional, intent(out) :: ierror
    end subroutine
  end interface
  interface MPI_Bcast_init
    subroutine MPI_Bcast_init_f08ts(buffer, count, datatype, root, comm, info, request, ierror) bind(C, &
        name="mpi_bcast_init_f08ts_")
      import
      type(*), dimension(..), asynchronous :: buffer
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request), intent(out) :: request
      integer, optional, intent(out) :: ierror
    end subroutine
    subroutine MPI_Bcast_init_c_f08ts(buffer, count, datatype, root, comm, info, request, ierror) bind(C, &
        name="mpi_bcast_init_c_f08ts_")
      import
      type(*), dimension(..), asynchronous :: buffer
      integer(MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request), intent(out) :: request
      integer, optional, intent(out) :: ierror
    end subroutine
  end interface
  interface MPI_Comm_create_from_group
    subroutine MPI_Comm_create_from_group_f08(info, errhandler, newcomm, ierror)
      import
      type(MPI_Info), intent(in) :: info
      type(MPI_Errhandler), intent(in) :: errhandler
      type(MPI_Comm), intent(out) :: newcomm
      integer, optional, intent(out) :: ierror
    end subroutine
  end interface
  interface MPI_Gatherv
    subroutine MPI_Gatherv_f08ts(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, root, comm, &
        ierror) bind(C, name="mpi_gatherv_f08ts_")
      import
      type(*), dimension(..), intent(in) :: sendbuf
      integer, intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..) :: recvbuf
      integer, intent(in) :: recvcounts(*)
      integer, intent(in) :: displs(*)
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      integer, optional, intent(out) :: ierror
    end subroutine
    subroutine MPI_Gatherv_c_f08ts(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, root, comm, &
        ierror) bind(C, name="mpi_gatherv_c_f08ts_")
      import
      type(*), dimension(..), intent(in) :: sendbuf
      integer(MPI_COUNT_KIND), intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..) :: recvbuf
      integer(MPI_COUNT_KIND), intent(in) :: recvcounts(*)
      integer(MPI_ADDRESS_KIND), intent(in) :: displs(*)
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      integer, optional, intent(out) :: ierror
    end subroutine
  end interface
  interface MPI_Get_count
    subroutine MPI_Get_count_f08(status, datatype, count, ierror)
      import
      type(MPI_Status), intent(in) :: status
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(out) :: count
      integer, optional, intent(out) :: ierror
    end subroutine
    subroutine MPI_Get_count_c_f08(status, datatype, count, ierror)
      import
      type(MPI_Status), intent(in) :: status
      type(MPI_Datatype), intent(in) :: datatype
      integer(MPI_COUNT_KIND), intent(out) :: count
      integer, optional, intent(out) :: ierror
    end subroutine
  end interface
  interface MPI_Ibcast
    subroutine MPI_Ibcast_f08ts(buffer, count, datatype, root, comm, request, ierror) bind(C, &
        name="mpi_ibcast_f08ts_")
      import
      type(*), dimension(..), asynchronous :: buffer
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request), intent(out) :: request
      integer, optional, intent(out) :: ierror
    end subroutine
  end interface
  interface MPI_Info_set
    subroutine MPI_Info_set_f08(info, key, ierror)
      import
      type(MPI_Info), intent(in) :: info
      character(len=*), intent(in) :: key
      integer, optional, intent(out) :: ierror
    end subroutine
  end interface
  interface MPI_Initialized
    subroutine MPI_Initialized_f08(flag, ierror)
      import
      logical, intent(out) :: flag
      integer, optional, intent(out) :: ierror
    end subroutine
  end interface
  interface MPI_Keyval_free
    subroutine MPI_Keyval_free_f08(keyval, ierror)
      import
      logical, intent(inout) :: keyval
      integer, optional, intent(out) :: ierror
    end subroutine
  end interface
  interface MPI_Op_create
    subroutine MPI_Op_create_f08(user_fn, commute, op, ierror)
      import
      procedure(MPI_User_function) :: user_fn
      logical, intent(in) :: commute
      type(MPI_Op), intent(out) :: op
      integer, optional, intent(out) :: ierror
    end subroutine
  end interface
  interface MPI_Op_create_c
    subroutine MPI_Op_create_c_f08(user_fn, commute, op, ierror)
      import
      procedure(MPI_User_function_c) :: user_fn
      logical, intent(in) :: commute
      type(MPI_Op), intent(out) :: op
      integer, optional, intent(out) :: ierror
    end subroutine
  end interface
  interface MPI_Pack
    subroutine MPI_Pack_f08ts(inbuf, position, info, comm, ierror) bind(C, name="mpi_pack_f08ts_")
      import
      type(*), dimension(..), intent(in), asynchronous :: inbuf
      integer, intent(inout) :: position
      type(MPI_Info), intent(in) :: info
      type(MPI_Comm), intent(in) :: comm
      integer, optional, intent(out) :: ierror
    end subroutine
    subroutine MPI_Pack_c_f08ts(inbuf, position, info, comm, ierror) bind(C, name="mpi_pack_c_f08ts_")
      import
      type(*), dimension(..), intent(in), asynchronous :: inbuf
      integer(MPI_COUNT_KIND), intent(inout) :: position
      type(MPI_Info), intent(in) :: info
      type(MPI_Comm), intent(in) :: comm
      integer, optional, intent(out) :: ierror
    end subroutine
  end interface
  interface MPI_Pcontrol
    subroutine MPI_Pcontrol_f08(level)
      import
      logical, intent(in) :: level
    end subroutine
  end interface
  interface MPI_Send
    subroutine MPI_Send_f08ts(buf, count, datatype, dest, comm, ierror) bind(C, name="mpi_send_f08ts_")
      import
      type(*), dimension(..), intent(in) :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: dest
      type(MPI_Comm), intent(in) :: comm
      integer, optional, intent(out) :: ierror
    end subroutine
    subroutine MPI_Send_c_f08ts(buf, count, datatype, dest, comm, ierror) bind(C, name="mpi_send_c_f08ts_")
      import
      type(*), dimension(..), intent(in) :: buf
      integer(MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: dest
      type(MPI_Comm), intent(in) :: comm
      integer, optional, intent(out) :: ierror
    end subroutine
  end interface
  interface MPI_Type_get_extent
    subroutine MPI_Type_get_extent_f08(datatype, extent, ierror)
      import
      type(MPI_Datatype), intent(in) :: datatype
      integer(MPI_ADDRESS_KIND), intent(out) :: extent
      integer, optional, intent(out) :: ierror
    end subroutine
  end interface
  interface MPI_Type_get_contents
    subroutine MPI_Type_get_contents_f08(datatype, array_of_addresses, ierror)
      import
      type(MPI_Datatype), intent(in) :: datatype
      integer(MPI_ADDRESS_KIND), intent(out) :: array_of_addresses(*)
      integer, optional, intent(out) :: ierror
    end subroutine
    subroutine MPI_Type_get_contents_c_f08(datatype, max_large_counts, array_of_addresses, &
        array_of_large_counts, ierror)
      import
      type(MPI_Datatype), intent(in) :: datatype
      integer(MPI_COUNT_KIND), intent(in) :: max_large_counts
      integer(MPI_ADDRESS_KIND), intent(out) :: array_of_addresses(*)
      integer(MPI_ADDRESS_KIND), intent(out) :: array_of_large_counts(*)
      integer, optional, intent(out) :: ierror
    end subroutine
  end interface
  interface MPI_Waitall
    subroutine MPI_Waitall_f08(count, array_of_requests, array_of_statuses, ierror)
      import
      integer, intent(in) :: count
      type(MPI_Request), intent(inout) :: array_of_requests(*)
      type(MPI_Status) :: array_of_statuses(*)
      integer, optional, intent(out) :: ierror
    end subroutine
  end interface
  interface MPI_Wtime
    double precision function MPI_Wtime_f08()
      import
    end function
  end interface
  interface PMPI_Bcast
    subroutine PMPI_Bcast_f08ts(buffer, count, datatype, root, comm, ierror) bind(C, name="pmpi_bcast_f08ts_")
      import
      type(*), dimension(..) :: buffer
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      integer, optional, intent(out) :: ierror
    end subroutine
  end interface
  interface PMPI_Bcast_init
    subroutine PMPI_Bcast_init_f08ts(buffer, count, datatype, root, comm, info, request, ierror) bind(C, &
        name="pmpi_bcast_init_f08ts_")
      import
      type(*), dimension(..), asynchronous :: buffer
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request), intent(out) :: request
      integer, optional, intent(out) :: ierror
    end subroutine
    subroutine PMPI_Bcast_init_c_f08ts(buffer, count, datatype, root, comm, info, request, ierror) bind(C, &
        name="pmpi_bcast_init_c_f08ts_")
      import
      type(*), dimension(..), asynchronous :: buffer
      integer(MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request), intent(out) :: request
      integer, optional, intent(out) :: ierror
    end subroutine
  end interface
  interface PMPI_Comm_create_from_group
    subroutine PMPI_Comm_create_from_group_f08(info, errhandler, newcomm, ierror)
      import
      type(MPI_Info), intent(in) :: info
      type(MPI_Errhandler), intent(in) :: errhandler
      type(MPI_Comm), intent(out) :: newcomm
      integer, optional, intent(out) :: ierror
    end subroutine
  end interface
  interface PMPI_Gatherv
    subroutine PMPI_Gatherv_f08ts(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, root, comm, &
        ierror) bind(C, name="pmpi_gatherv_f08ts_")
      import
      type(*), dimension(..), intent(in) :: sendbuf
      integer, intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..) :: recvbuf
      integer, intent(in) :: recvcounts(*)
      integer, intent(in) :: displs(*)
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      integer, optional, intent(out) :: ierror
    end subroutine
    subroutine PMPI_Gatherv_c_f08ts(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, root, comm, &
        ierror) bind(C, name="pmpi_gatherv_c_f08ts_")
      import
      type(*), dimension(..), intent(in) :: sendbuf
      integer(MPI_COUNT_KIND), intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..) :: recvbuf
      integer(MPI_COUNT_KIND), intent(in) :: recvcounts(*)
      integer(MPI_ADDRESS_KIND), intent(in) :: displs(*)
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      integer, optional, intent(out) :: ierror
    end subroutine
  end interface
  interface PMPI_Get_count
    subroutine PMPI_Get_count_f08(status, datatype, count, ierror)
      import
      type(MPI_Status), intent(in) :: status
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(out) :: count
      integer, optional, intent(out) :: ierror
    end subroutine
    subroutine PMPI_Get_count_c_f08(status, datatype, count, ierror)
      import
      type(MPI_Status), intent(in) :: status
      type(MPI_Datatype), intent(in) :: datatype
      integer(MPI_COUNT_KIND), intent(out) :: count
      integer, optional, intent(out) :: ierror
    end subroutine
  end interface
  interface PMPI_Ibcast
    subroutine PMPI_Ibcast_f08ts(buffer, count, datatype, root, comm, request, ierror) bind(C, &
        name="pmpi_ibcast_f08ts_")
      import
      type(*), dimension(..), asynchronous :: buffer
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request), intent(out) :: request
      integer, optional, intent(out) :: ierror
    end subroutine
  end interface
  interface PMPI_Info_set
    subroutine PMPI_Info_set_f08(info, key, ierror)
      import
      type(MPI_Info), intent(in) :: info
      character(len=*), intent(in) :: key
      integer, optional, intent(out) :: ierror
    end subroutine
  end interface
  interface PMPI_Initialized
    subroutine PMPI_Initialized_f08(flag, ierror)
      import
      logical, intent(out) :: flag
      integer, optional, intent(out) :: ierror
    end subroutine
  end interface
  interface PMPI_Keyval_free
    subroutine PMPI_Keyval_free_f08(keyval, ierror)
      import
      logical, intent(inout) :: keyval
      integer, optional, intent(out) :: ierror
    end subroutine
  end interface
  interface PMPI_Op_create
    subroutine PMPI_Op_create_f08(user_fn, commute, op, ierror)
      import
      procedure(MPI_User_function) :: user_fn
      logical, intent(in) :: commute
      type(MPI_Op), intent(out) :: op
      integer, optional, intent(out) :: ierror
    end subroutine
  end interface
  interface PMPI_Op_create_c
    subroutine PMPI_Op_create_c_f08(user_fn, commute, op, ierror)
      import
      procedure(MPI_User_function_c) :: user_fn
      logical, intent(in) :: commute
      type(MPI_Op), intent(out) :: op
      integer, optional, intent(out) :: ierror
    end subroutine
  end interface
  interface PMPI_Pack
    subroutine PMPI_Pack_f08ts(inbuf, position, info, comm, ierror) bind(C, name="pmpi_pack_f08ts_")
      import
      type(*), dimension(..), intent(in), asynchronous :: inbuf
      integer, intent(inout) :: position
      type(MPI_Info), intent(in) :: info
      type(MPI_Comm), intent(in) :: comm
      integer, optional, intent(out) :: ierror
    end subroutine
    subroutine PMPI_Pack_c_f08ts(inbuf, position, info, comm, ierror) bind(C, name="pmpi_pack_c_f08ts_")
      import
      type(*), dimension(..), intent(in), asynchronous :: inbuf
      integer(MPI_COUNT_KIND), intent(inout) :: position
      type(MPI_Info), intent(in) :: info
      type(MPI_Comm), intent(in) :: comm
      integer, optional, intent(out) :: ierror
    end subroutine
  end interface
  interface PMPI_Pcontrol
    subroutine PMPI_Pcontrol_f08(level)
      import
      logical, intent(in) :: level
    end subroutine
  end interface
  interface PMPI_Send
    subroutine PMPI_Send_f08ts(buf, count, datatype, dest, comm, ierror) bind(C, name="pmpi_send_f08ts_")
      import
      type(*), dimension(..), intent(in) :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: dest
      type(MPI_Comm), intent(in) :: comm
      integer, optional, intent(out) :: ierror
    end subroutine
    subroutine PMPI_Send_c_f08ts(buf, count, datatype, dest, comm, ierror) bind(C, name="pmpi_send_c_f08ts_")
      import
      type(*), dimension(..), intent(in) :: buf
      integer(MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: dest
      type(MPI_Comm), intent(in) :: comm
      integer, optional, intent(out) :: ierror
    end subroutine
  end interface
  interface PMPI_Type_get_extent
    subroutine PMPI_Type_get_extent_f08(datatype, extent, ierror)
      import
      type(MPI_Datatype), intent(in) :: datatype
      integer(MPI_ADDRESS_KIND), intent(out) :: extent
      integer, optional, intent(out) :: ierror
    end subroutine
  end interface
  interface PMPI_Type_get_contents
    subroutine PMPI_Type_get_contents_f08(datatype, array_of_addresses, ierror)
      import
      type(MPI_Datatype), intent(in) :: datatype
      integer(MPI_ADDRESS_KIND), intent(out) :: array_of_addresses(*)
      integer, optional, intent(out) :: ierror
    end subroutine
    subroutine PMPI_Type_get_contents_c_f08(datatype, max_large_counts, array_of_addresses, &
        array_of_large_counts, ierror)
      import
      type(MPI_Datatype), intent(in) :: datatype
      integer(MPI_COUNT_KIND), intent(in) :: max_large_counts
      integer(MPI_ADDRESS_KIND), intent(out) :: array_of_addresses(*)
      integer(MPI_ADDRESS_KIND), intent(out) :: array_of_large_counts(*)
      integer, optional, intent(out) :: ierror
    end subroutine
  end interface
  interface PMPI_Waitall
    subroutine PMPI_Waitall_f08(count, array_of_requests, array_of_statuses, ierror)
      import
      integer, intent(in) :: count
      type(MPI_Request), intent(inout) :: array_of_requests(*)
      type(MPI_Status) :: array_of_statuses(*)
      integer, optional, intent(out) :: ierror
    end subroutine
  end interface
  interface PMPI_Wtime
    double precision function PMPI_Wtime_f08()
      import
    end function
  end interface
end module mpi_f08
