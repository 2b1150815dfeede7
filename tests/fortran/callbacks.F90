! Functions of the program that MPI calls: operations, error handlers, generalized requests.
#include "flavour.h"
module functions
  use, intrinsic :: iso_c_binding
  USE_MPI
  implicit none
  INCLUDE_MPI
  HANDLE(MPI_Comm) :: heard_comm
  HANDLE(MPI_Win) :: heard_win
  integer :: heard_code = 0
  integer(MPI_ADDRESS_KIND) :: freed = 0, cancelled = 0
contains

#if defined(F08)
  subroutine add_twice(invec, inoutvec, len, datatype)
    type(c_ptr), value :: invec, inoutvec
    integer :: len
    type(MPI_Datatype) :: datatype
    integer, pointer :: in(:), inout(:)
    call c_f_pointer(invec, in, [len])
    call c_f_pointer(inoutvec, inout, [len])
    if (datatype == MPI_INTEGER) inout = inout + 2 * in
  end subroutine

  subroutine keep_left(invec, inoutvec, len, datatype)
    type(c_ptr), value :: invec, inoutvec
    integer :: len
    type(MPI_Datatype) :: datatype
    integer, pointer :: in(:), inout(:)
    call c_f_pointer(invec, in, [len])
    call c_f_pointer(inoutvec, inout, [len])
    if (datatype == MPI_INTEGER) inout = in
  end subroutine
#else
  subroutine add_twice(in, inout, len, datatype)
    integer :: len, in(len), inout(len), datatype
    if (datatype == MPI_INTEGER) inout = inout + 2 * in
  end subroutine

  subroutine keep_left(in, inout, len, datatype)
    integer :: len, in(len), inout(len), datatype
    if (datatype == MPI_INTEGER) inout = in
  end subroutine
#endif

  subroutine on_comm(comm, code)
    HANDLE(MPI_Comm) :: comm
    integer :: code
    heard_comm = comm
    heard_code = code
  end subroutine

  subroutine on_win(win, code)
    HANDLE(MPI_Win) :: win
    integer :: code
    heard_win = win
    heard_code = code
  end subroutine

  subroutine query(extra_state, one, ierror)
    integer(MPI_ADDRESS_KIND) :: extra_state
    STATUS :: one
    integer :: ierror, code
    call MPI_Status_set_elements(one, MPI_INTEGER, int(extra_state), code)
    call MPI_Status_set_cancelled(one, .false., code)
    SOURCE_OF(one) = 3
    TAG_OF(one) = 4
    ierror = MPI_SUCCESS
  end subroutine

  subroutine release(extra_state, ierror)
    integer(MPI_ADDRESS_KIND) :: extra_state
    integer :: ierror
    freed = extra_state
    ierror = MPI_SUCCESS
  end subroutine

  subroutine cancel(extra_state, complete, ierror)
    integer(MPI_ADDRESS_KIND) :: extra_state
    logical :: complete
    integer :: ierror
    cancelled = merge(extra_state, -extra_state, complete)
    ierror = MPI_SUCCESS
  end subroutine
end module

program callbacks
  use expect
  use functions
  implicit none
  integer :: rank, size, ierror

  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierror)
  call operations()
  call error_handlers()
  call generalized_requests()
  call MPI_Finalize(ierror)
  call verdict()

contains

  subroutine operations()
    HANDLE(MPI_Op) :: sums, left
    integer :: in(100), out(100), round
    logical :: commutes
    do round = 1, 300  ! more operations than there are functions in the pool
      call MPI_Op_create(add_twice, .true., sums, ierror)
      if (round < 300) call MPI_Op_free(sums, ierror)
    end do
    call MPI_Op_create(keep_left, .false., left, ierror)
    in = 5
    out = 1
    call MPI_Reduce_local(in, out, 100, MPI_INTEGER, sums, ierror)
    call expect_true(all(out == 11), 'MPI_Reduce_local with an operation of the program''s')
    in = rank + 40
    call MPI_Allreduce(in, out, 100, MPI_INTEGER, left, MPI_COMM_WORLD, ierror)
    call expect_true(all(out == 40), 'an operation that does not commute')
    call MPI_Op_commutative(left, commutes, ierror)
    call expect_true(.not. commutes, 'MPI_Op_commutative')
    call MPI_Op_free(left, ierror)
    call MPI_Op_free(sums, ierror)
    call expect_true(sums == MPI_OP_NULL, 'MPI_Op_free')
  end subroutine

  subroutine error_handlers()
    HANDLE(MPI_Errhandler) :: handler, found, of_win
    HANDLE(MPI_Comm) :: comm
    HANDLE(MPI_Win) :: win
    integer :: code, class, buffer(1)
    integer(MPI_ADDRESS_KIND) :: bytes
    call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierror)
    call MPI_Comm_create_errhandler(on_comm, handler, ierror)
    call MPI_Comm_set_errhandler(comm, handler, ierror)
    call MPI_Send(buffer, 1, MPI_INTEGER, size, 0, comm, code)
    call MPI_Error_class(code, class, ierror)
    call expect_equal(class, MPI_ERR_RANK, 'a wrong rank')
    call expect_true(heard_comm == comm, 'the handler hears which communicator')
    call expect_equal(heard_code, code, 'the handler hears which error')
    call MPI_Comm_get_errhandler(comm, found, ierror)
    call expect_true(found == handler, 'MPI_Comm_get_errhandler')
    call MPI_Errhandler_free(found, ierror)
    call MPI_Errhandler_free(handler, ierror)
    call MPI_Comm_call_errhandler(comm, MPI_ERR_OTHER, ierror)
    call expect_equal(heard_code, MPI_ERR_OTHER, 'MPI_Comm_call_errhandler')
    call MPI_Comm_free(comm, ierror)
    bytes = 4
    call MPI_Win_create(buffer, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierror)
    call MPI_Win_create_errhandler(on_win, of_win, ierror)
    call MPI_Win_set_errhandler(win, of_win, ierror)
    call MPI_Win_call_errhandler(win, MPI_ERR_RMA_RANGE, ierror)
    call expect_true(heard_win == win .and. heard_code == MPI_ERR_RMA_RANGE, 'a window''s error handler')
    call MPI_Errhandler_free(of_win, ierror)
    call MPI_Win_free(win, ierror)
  end subroutine

  subroutine generalized_requests()
    HANDLE(MPI_Request) :: request
    STATUS :: one
    integer :: count
    call MPI_Grequest_start(query, release, cancel, 17_MPI_ADDRESS_KIND, request, ierror)
    call MPI_Cancel(request, ierror)
    call expect_true(cancelled == -17, 'cancelled before it was complete')
    call MPI_Grequest_complete(request, ierror)
    call MPI_Wait(request, one, ierror)
    call MPI_Get_count(one, MPI_INTEGER, count, ierror)
    call expect_true(count == 17 .and. SOURCE_OF(one) == 3 .and. TAG_OF(one) == 4, 'the status of a generalized request')
    call expect_true(freed == 17, 'freed')
    call expect_true(request == MPI_REQUEST_NULL, 'the request is over')
  end subroutine
end program
