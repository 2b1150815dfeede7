! Generated from spec/ by gen/generate.py; change those.
module mpi
  use, intrinsic :: iso_c_binding, only: c_ptr
  use antiphon_mpi_types
  use antiphon_mpi_constants
  implicit none
  private :: c_ptr
  logical, parameter :: MPI_SUBARRAYS_SUPPORTED = .false.
  logical, parameter :: MPI_ASYNC_PROTECTS_NONBLOCKING = .false.
  integer, parameter :: MPI_COMM_NULL = 256
  integer, parameter :: MPI_COMM_WORLD = 257
  integer, parameter :: MPI_LONG_LONG = 523
  integer, parameter :: MPI_LONG_LONG_INT = MPI_LONG_LONG
  integer, parameter :: MPI_2INT = 555
  integer, dimension(MPI_STATUS_SIZE) :: MPI_STATUS_IGNORE
  common /antiphon_mpi_status_ignore/ MPI_STATUS_IGNORE
  integer, dimension(MPI_STATUS_SIZE, 1) :: MPI_STATUSES_IGNORE
  common /antiphon_mpi_statuses_ignore/ MPI_STATUSES_IGNORE
  external :: MPI_NULL_COPY_FN
  external :: MPI_DUP_FN
  external :: MPI_NULL_DELETE_FN
  external :: MPI_COMM_NULL_COPY_FN
  external :: MPI_COMM_DUP_FN
  external :: MPI_COMM_NULL_DELETE_FN
  external :: MPI_TYPE_NULL_COPY_FN
  external :: MPI_TYPE_DUP_FN
  external :: MPI_TYPE_NULL_DELETE_FN
  external :: MPI_WIN_NULL_COPY_FN
  external :: MPI_WIN_DUP_FN
  external :: MPI_WIN_NULL_DELETE_FN
  interface 
    subroutine MPI_Bcast(buffer, count, datatype, root, comm, ierror)
      import
!GCC$ attributes no_arg_check :: buffer
!dir$ ignore_tkr(tkrdm) buffer
      type(*), dimension(*) :: buffer
      integer, intent(in) :: count
      integer, intent(in) :: datatype
      integer, intent(in) :: root
      integer, intent(in) :: comm
      integer, intent(out) :: ierror
    end subroutine
    subroutine MPI_Bcast_init(buffer, count, datatype, root, comm, info, request, ierror)
      import
!GCC$ attributes no_arg_check :: buffer
!dir$ ignore_tkr(tkrdm) buffer
      type(*), dimension(*) :: buffer
      integer, intent(in) :: count
      integer, intent(in) :: datatype
      integer, intent(in) :: root
      integer, intent(in) :: comm
      integer, intent(in) :: info
      integer, intent(out) :: request
      integer, intent(out) :: ierror
    end subroutine
    subroutine MPI_Comm_create_from_group(info, errhandler, newcomm, ierror)
      import
      integer, intent(in) :: info
      integer, intent(in) :: errhandler
      integer, intent(out) :: newcomm
      integer, intent(out) :: ierror
    end subroutine
    subroutine MPI_Gatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, root, comm, ierror)
      import
!GCC$ attributes no_arg_check :: sendbuf
!dir$ ignore_tkr(tkrdm) sendbuf
      type(*), dimension(*) :: sendbuf
      integer, intent(in) :: sendcount
      integer, intent(in) :: sendtype
!GCC$ attributes no_arg_check :: recvbuf
!dir$ ignore_tkr(tkrdm) recvbuf
      type(*), dimension(*) :: recvbuf
      integer, intent(in) :: recvcounts(*)
      integer, intent(in) :: displs(*)
      integer, intent(in) :: root
      integer, intent(in) :: comm
      integer, intent(out) :: ierror
    end subroutine
    subroutine MPI_Get_count(status, datatype, count, ierror)
      import
      integer :: status(MPI_STATUS_SIZE)
      integer, intent(in) :: datatype
      integer, intent(out) :: count
      integer, intent(out) :: ierror
    end subroutine
    subroutine MPI_Ibcast(buffer, count, datatype, root, comm, request, ierror)
      import
!GCC$ attributes no_arg_check :: buffer
!dir$ ignore_tkr(tkrdm) buffer
      type(*), dimension(*) :: buffer
      integer, intent(in) :: count
      integer, intent(in) :: datatype
      integer, intent(in) :: root
      integer, intent(in) :: comm
      integer, intent(out) :: request
      integer, intent(out) :: ierror
    end subroutine
    subroutine MPI_Info_set(info, key, ierror)
      import
      integer, intent(in) :: info
      character(len=*), intent(in) :: key
      integer, intent(out) :: ierror
    end subroutine
    subroutine MPI_Initialized(flag, ierror)
      import
      logical, intent(out) :: flag
      integer, intent(out) :: ierror
    end subroutine
    subroutine MPI_Keyval_free(keyval, ierror)
      import
      logical, intent(inout) :: keyval
      integer, intent(out) :: ierror
    end subroutine
    subroutine MPI_Op_create(user_fn, commute, op, ierror)
      import
      external :: user_fn
      logical, intent(in) :: commute
      integer, intent(out) :: op
      integer, intent(out) :: ierror
    end subroutine
    subroutine MPI_Pack(inbuf, position, info, comm, ierror)
      import
!GCC$ attributes no_arg_check :: inbuf
!dir$ ignore_tkr(tkrdm) inbuf
      type(*), dimension(*) :: inbuf
      integer, intent(inout) :: position
      integer, intent(in) :: info
      integer, intent(in) :: comm
      integer, intent(out) :: ierror
    end subroutine
    subroutine MPI_Pcontrol(level)
      import
      logical, intent(in) :: level
    end subroutine
    subroutine MPI_Send(buf, count, datatype, dest, comm, ierror)
      import
!GCC$ attributes no_arg_check :: buf
!dir$ ignore_tkr(tkrdm) buf
      type(*), dimension(*) :: buf
      integer, intent(in) :: count
      integer, intent(in) :: datatype
      integer, intent(in) :: dest
      integer, intent(in) :: comm
      integer, intent(out) :: ierror
    end subroutine
    subroutine MPI_Type_get_extent(datatype, extent, ierror)
      import
      integer, intent(in) :: datatype
      integer(MPI_ADDRESS_KIND), intent(out) :: extent
      integer, intent(out) :: ierror
    end subroutine
    subroutine MPI_Type_get_contents(datatype, array_of_addresses, ierror)
      import
      integer, intent(in) :: datatype
      integer(MPI_ADDRESS_KIND), intent(out) :: array_of_addresses(*)
      integer, intent(out) :: ierror
    end subroutine
    subroutine MPI_Waitall(count, array_of_requests, array_of_statuses, ierror)
      import
      integer, intent(in) :: count
      integer, intent(inout) :: array_of_requests(*)
      integer :: array_of_statuses(MPI_STATUS_SIZE, *)
      integer, intent(out) :: ierror
    end subroutine
    double precision function MPI_Wtime()
      import
    end function
  end interface
  interface 
    subroutine PMPI_Bcast(buffer, count, datatype, root, comm, ierror)
      import
!GCC$ attributes no_arg_check :: buffer
!dir$ ignore_tkr(tkrdm) buffer
      type(*), dimension(*) :: buffer
      integer, intent(in) :: count
      integer, intent(in) :: datatype
      integer, intent(in) :: root
      integer, intent(in) :: comm
      integer, intent(out) :: ierror
    end subroutine
    subroutine PMPI_Bcast_init(buffer, count, datatype, root, comm, info, request, ierror)
      import
!GCC$ attributes no_arg_check :: buffer
!dir$ ignore_tkr(tkrdm) buffer
      type(*), dimension(*) :: buffer
      integer, intent(in) :: count
      integer, intent(in) :: datatype
      integer, intent(in) :: root
      integer, intent(in) :: comm
      integer, intent(in) :: info
      integer, intent(out) :: request
      integer, intent(out) :: ierror
    end subroutine
    subroutine PMPI_Comm_create_from_group(info, errhandler, newcomm, ierror)
      import
      integer, intent(in) :: info
      integer, intent(in) :: errhandler
      integer, intent(out) :: newcomm
      integer, intent(out) :: ierror
    end subroutine
    subroutine PMPI_Gatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, root, comm, ierror)
      import
!GCC$ attributes no_arg_check :: sendbuf
!dir$ ignore_tkr(tkrdm) sendbuf
      type(*), dimension(*) :: sendbuf
      integer, intent(in) :: sendcount
      integer, intent(in) :: sendtype
!GCC$ attributes no_arg_check :: recvbuf
!dir$ ignore_tkr(tkrdm) recvbuf
      type(*), dimension(*) :: recvbuf
      integer, intent(in) :: recvcounts(*)
      integer, intent(in) :: displs(*)
      integer, intent(in) :: root
      integer, intent(in) :: comm
      integer, intent(out) :: ierror
    end subroutine
    subroutine PMPI_Get_count(status, datatype, count, ierror)
      import
      integer :: status(MPI_STATUS_SIZE)
      integer, intent(in) :: datatype
      integer, intent(out) :: count
      integer, intent(out) :: ierror
    end subroutine
    subroutine PMPI_Ibcast(buffer, count, datatype, root, comm, request, ierror)
      import
!GCC$ attributes no_arg_check :: buffer
!dir$ ignore_tkr(tkrdm) buffer
      type(*), dimension(*) :: buffer
      integer, intent(in) :: count
      integer, intent(in) :: datatype
      integer, intent(in) :: root
      integer, intent(in) :: comm
      integer, intent(out) :: request
      integer, intent(out) :: ierror
    end subroutine
    subroutine PMPI_Info_set(info, key, ierror)
      import
      integer, intent(in) :: info
      character(len=*), intent(in) :: key
      integer, intent(out) :: ierror
    end subroutine
    subroutine PMPI_Initialized(flag, ierror)
      import
      logical, intent(out) :: flag
      integer, intent(out) :: ierror
    end subroutine
    subroutine PMPI_Keyval_free(keyval, ierror)
      import
      logical, intent(inout) :: keyval
      integer, intent(out) :: ierror
    end subroutine
    subroutine PMPI_Op_create(user_fn, commute, op, ierror)
      import
      external :: user_fn
      logical, intent(in) :: commute
      integer, intent(out) :: op
      integer, intent(out) :: ierror
    end subroutine
    subroutine PMPI_Pack(inbuf, position, info, comm, ierror)
      import
!GCC$ attributes no_arg_check :: inbuf
!dir$ ignore_tkr(tkrdm) inbuf
      type(*), dimension(*) :: inbuf
      integer, intent(inout) :: position
      integer, intent(in) :: info
      integer, intent(in) :: comm
      integer, intent(out) :: ierror
    end subroutine
    subroutine PMPI_Pcontrol(level)
      import
      logical, intent(in) :: level
    end subroutine
    subroutine PMPI_Send(buf, count, datatype, dest, comm, ierror)
      import
!GCC$ attributes no_arg_check :: buf
!dir$ ignore_tkr(tkrdm) buf
      type(*), dimension(*) :: buf
      integer, intent(in) :: count
      integer, intent(in) :: datatype
      integer, intent(in) :: dest
      integer, intent(in) :: comm
      integer, intent(out) :: ierror
    end subroutine
    subroutine PMPI_Type_get_extent(datatype, extent, ierror)
      import
      integer, intent(in) :: datatype
      integer(MPI_ADDRESS_KIND), intent(out) :: extent
      integer, intent(out) :: ierror
    end subroutine
    subroutine PMPI_Type_get_contents(datatype, array_of_addresses, ierror)
      import
      integer, intent(in) :: datatype
      integer(MPI_ADDRESS_KIND), intent(out) :: array_of_addresses(*)
      integer, intent(out) :: ierror
    end subroutine
    subroutine PMPI_Waitall(count, array_of_requests, array_of_statuses, ierror)
      import
      integer, intent(in) :: count
      integer, intent(inout) :: array_of_requests(*)
      integer :: array_of_statuses(MPI_STATUS_SIZE, *)
      integer, intent(out) :: ierror
    end subroutine
    double precision function PMPI_Wtime()
      import
    end function
  end interface
end module mpi
