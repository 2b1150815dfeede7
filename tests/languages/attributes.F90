! Keyvals with functions of the program's and with ready-made ones; attributes of communicators, datatypes and windows;
! those that MPI has set.
#include "flavour.h"
module attribute_functions
  USE_MPI
  implicit none
  INCLUDE_MPI
  integer :: deleted = 0
contains
  subroutine add_state(comm, keyval, extra_state, in, out, flag, ierror)
    HANDLE(MPI_Comm) :: comm
    integer :: keyval, ierror
    integer(MPI_ADDRESS_KIND) :: extra_state, in, out
    logical :: flag
    out = in + extra_state
    flag = .true.
    ierror = MPI_SUCCESS
  end subroutine

  subroutine count_it(comm, keyval, attribute, extra_state, ierror)
    HANDLE(MPI_Comm) :: comm
    integer :: keyval, ierror
    integer(MPI_ADDRESS_KIND) :: attribute, extra_state
    deleted = deleted + 1
    ierror = MPI_SUCCESS
  end subroutine
end module

program attributes
  use attribute_functions
  implicit none
  integer(MPI_ADDRESS_KIND), parameter :: none = 0
  integer(MPI_ADDRESS_KIND) :: value
  integer :: rank, ierror
  logical :: flag
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call of_communicators()
  call of_datatypes()
  call of_windows()
  call predefined('MPI_TAG_UB', MPI_TAG_UB)
  call predefined('MPI_IO', MPI_IO)
  call predefined('MPI_WTIME_IS_GLOBAL', MPI_WTIME_IS_GLOBAL)
  call MPI_Finalize(ierror)

contains

  integer function found()
    found = -1
    if (flag) found = int(value)
  end function

  subroutine of_communicators()
    HANDLE(MPI_Comm) :: one, two
    integer :: copied, left
    value = 10
    call MPI_Comm_create_keyval(add_state, count_it, copied, value, ierror)
    call MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, left, none, ierror)
    call MPI_Comm_dup(MPI_COMM_WORLD, one, ierror)
    call MPI_Comm_get_attr(one, copied, value, flag, ierror)
    call say(rank, 'set at first', merge(1, 0, flag))
    value = 5
    call MPI_Comm_set_attr(one, copied, value, ierror)
    value = 6
    call MPI_Comm_set_attr(one, left, value, ierror)
    call MPI_Comm_dup(one, two, ierror)
    call MPI_Comm_get_attr(two, copied, value, flag, ierror)
    call say(rank, 'copied', found())
    call MPI_Comm_get_attr(two, left, value, flag, ierror)
    call say(rank, 'copied without a function', merge(1, 0, flag))
    value = 7
    call MPI_Comm_set_attr(two, copied, value, ierror)
    call say(rank, 'deleted by a new value', deleted)
    call MPI_Comm_delete_attr(one, copied, ierror)
    call MPI_Comm_free(one, ierror)
    call MPI_Comm_free(two, ierror)
    call say(rank, 'deleted', deleted)
    call MPI_Comm_free_keyval(copied, ierror)
    call MPI_Comm_free_keyval(left, ierror)
    call say(rank, 'keyval is gone', merge(1, 0, copied == MPI_KEYVAL_INVALID))
  end subroutine

  subroutine of_datatypes()
    HANDLE(MPI_Datatype) :: pair, copy
    integer :: keyval
    call MPI_Type_create_keyval(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, keyval, none, ierror)
    call MPI_Type_contiguous(2, MPI_INTEGER, pair, ierror)
    value = 321
    call MPI_Type_set_attr(pair, keyval, value, ierror)
    call MPI_Type_dup(pair, copy, ierror)
    call MPI_Type_get_attr(copy, keyval, value, flag, ierror)
    call say(rank, "datatype's", found())
    call MPI_Type_delete_attr(copy, keyval, ierror)
    call MPI_Type_get_attr(copy, keyval, value, flag, ierror)
    call say(rank, "datatype's after deletion", merge(1, 0, flag))
    call MPI_Type_free(copy, ierror)
    call MPI_Type_free(pair, ierror)
    call MPI_Type_free_keyval(keyval, ierror)
  end subroutine

  subroutine of_windows()
    HANDLE(MPI_Win) :: win
    integer :: memory(3), keyval
    integer(MPI_ADDRESS_KIND) :: base
    value = 12
    call MPI_Win_create(memory, value, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierror)
    call MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, keyval, none, ierror)
    value = 55
    call MPI_Win_set_attr(win, keyval, value, ierror)
    call MPI_Win_get_attr(win, keyval, value, flag, ierror)
    call say(rank, "window's", found())
    call MPI_Get_address(memory, base, ierror)
    call MPI_Win_get_attr(win, MPI_WIN_BASE, value, flag, ierror)
    call say(rank, 'MPI_WIN_BASE', merge(1, 0, value == base))
    call MPI_Win_get_attr(win, MPI_WIN_SIZE, value, flag, ierror)
    call say(rank, 'MPI_WIN_SIZE', found())
    call MPI_Win_get_attr(win, MPI_WIN_DISP_UNIT, value, flag, ierror)
    call say(rank, 'MPI_WIN_DISP_UNIT', found())
    call MPI_Win_free(win, ierror)
    call MPI_Win_free_keyval(keyval, ierror)
  end subroutine

  subroutine predefined(name, keyval)
    character(len=*), intent(in) :: name
    integer, intent(in) :: keyval
    call MPI_Comm_get_attr(MPI_COMM_WORLD, keyval, value, flag, ierror)
    call say(rank, name, found())
  end subroutine
end program
