! Attributes that one language sets and another reads (MPI 5.0, 19.3.7): C (attributes_c.c) or the C++ of MPI-2.2
! (attributes_cxx.cpp), Fortran's INTEGER of MPI 1 and its integers of the size of addresses; functions that copy and
! delete them; predefined attributes.
#include "flavour.h"
module attribute_functions
  USE_MPI
  implicit none
  INCLUDE_MPI
  integer :: copies = 0, deletes = 0
contains
  subroutine copy(comm, keyval, extra_state, in, out, flag, ierror)
    HANDLE(MPI_Comm) :: comm
    integer :: keyval, ierror
    integer(MPI_ADDRESS_KIND) :: extra_state, in, out
    logical :: flag
    copies = copies + 1
    out = in + extra_state
    flag = .true.
    ierror = MPI_SUCCESS
  end subroutine

  subroutine drop(comm, keyval, attribute, extra_state, ierror)
    HANDLE(MPI_Comm) :: comm
    integer :: keyval, ierror
    integer(MPI_ADDRESS_KIND) :: attribute, extra_state
    deletes = deletes + 1
    ierror = MPI_SUCCESS
    if (attribute < 0) ierror = MPI_ERR_OTHER
  end subroutine

  subroutine copy_integer(comm, keyval, extra_state, in, out, flag, ierr)
    HANDLE(MPI_Comm) :: comm
    integer :: keyval, extra_state, in, out, ierr
    logical :: flag
    out = in + extra_state
    flag = .true.
    ierr = MPI_SUCCESS
  end subroutine

  subroutine drop_integer(comm, keyval, attribute, extra_state, ierr)
    HANDLE(MPI_Comm) :: comm
    integer :: keyval, attribute, extra_state, ierr
    ierr = MPI_SUCCESS
  end subroutine

  subroutine refuse(comm, keyval, extra_state, in, out, flag, ierror)
    HANDLE(MPI_Comm) :: comm
    integer :: keyval, ierror
    integer(MPI_ADDRESS_KIND) :: extra_state, in, out
    logical :: flag
    flag = .false.
    ierror = MPI_SUCCESS
  end subroutine
end module

program attributes
  use expect
  use attribute_functions
  implicit none
  integer :: ierror

  call MPI_Init(ierror)
  call between_languages()
  call copied_and_deleted()
  call of_mpi_1()
  call a_key_of_c()
  call of_datatypes()
  call of_windows()
  call predefined()
  call statuses()
  call MPI_Finalize(ierror)
  call verdict()

contains

  subroutine between_languages()
    integer :: keyval, small
    integer(MPI_ADDRESS_KIND) :: none, value, found, address
    integer(MPI_ADDRESS_KIND), external :: c_get_comm
    integer, external :: c_get_int
    logical :: flag
    none = 0
    call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, keyval, none, ierror)
    call MPI_Comm_get_attr(MPI_COMM_SELF, keyval, found, flag, ierror)
    call expect_true(.not. flag, 'no attribute yet')
    ! Set in C: Fortran reads an address, and an INTEGER has what fits of it.
    call c_set_comm(MPI_COMM_SELF, keyval, address)
    call MPI_Comm_get_attr(MPI_COMM_SELF, keyval, found, flag, ierror)
    call expect_true(flag .and. found == address, 'set in C, read as an address')
    call MPI_Attr_get(MPI_COMM_SELF, keyval, small, flag, ierror)
    call expect_true(flag .and. small == transfer(address, small), 'set in C, read as an INTEGER')
    ! Set as an INTEGER: C reads an int, and the sign is kept.
    call MPI_Attr_put(MPI_COMM_SELF, keyval, -77, ierror)
    call expect_equal(c_get_int(MPI_COMM_SELF, keyval), -77, 'set as an INTEGER, read in C')
    call MPI_Comm_get_attr(MPI_COMM_SELF, keyval, found, flag, ierror)
    call expect_true(flag .and. found == -77, 'set as an INTEGER, read as an address')
    call MPI_Attr_get(MPI_COMM_SELF, keyval, small, flag, ierror)
    call expect_equal(small, -77, 'set as an INTEGER, read as one')
    ! Set in the size of an address: C reads an MPI_Aint.
    value = 2_MPI_ADDRESS_KIND**40 + 5
    call MPI_Comm_set_attr(MPI_COMM_SELF, keyval, value, ierror)
    call expect_true(c_get_comm(MPI_COMM_SELF, keyval) == value, 'set as an address, read in C')
    call MPI_Comm_get_attr(MPI_COMM_SELF, keyval, found, flag, ierror)
    call expect_true(found == value, 'set as an address, read as one')
    call MPI_Attr_get(MPI_COMM_SELF, keyval, small, flag, ierror)
    call expect_equal(small, 5, 'set as an address, read as an INTEGER')
    call MPI_Comm_delete_attr(MPI_COMM_SELF, keyval, ierror)
    call MPI_Comm_free_keyval(keyval, ierror)
    call expect_equal(keyval, MPI_KEYVAL_INVALID, 'MPI_Comm_free_keyval')
  end subroutine

  subroutine copied_and_deleted()
    HANDLE(MPI_Comm) :: one, two, three
    integer :: keyval, refused, code
    integer(MPI_ADDRESS_KIND) :: state, found
    logical :: flag
    state = 1000
    call MPI_Comm_create_keyval(copy, drop, keyval, state, ierror)
    call MPI_Comm_create_keyval(refuse, MPI_COMM_NULL_DELETE_FN, refused, state, ierror)
    call MPI_Comm_dup(MPI_COMM_WORLD, one, ierror)
    call MPI_Comm_set_attr(one, keyval, 7_MPI_ADDRESS_KIND, ierror)
    call MPI_Comm_set_attr(one, refused, 8_MPI_ADDRESS_KIND, ierror)
    call MPI_Comm_dup(one, two, ierror)
    call MPI_Comm_dup(two, three, ierror)
    call MPI_Comm_get_attr(three, keyval, found, flag, ierror)
    call expect_true(flag .and. found == 2007, 'copied twice, with the extra state added twice')
    call MPI_Comm_get_attr(two, refused, found, flag, ierror)
    call expect_true(.not. flag, 'what a function refuses is not copied')
    call expect_equal(copies, 2, 'copies')
    call MPI_Comm_set_attr(three, keyval, -1_MPI_ADDRESS_KIND, ierror)
    call expect_equal(deletes, 1, 'a new value deletes the old one')
    call MPI_Comm_set_errhandler(three, MPI_ERRORS_RETURN, ierror)
    call MPI_Comm_delete_attr(three, keyval, code)
    call expect_equal(code, MPI_ERR_OTHER, 'what a function returns is the call''s error')
    call MPI_Comm_get_attr(three, keyval, found, flag, ierror)
    call expect_true(flag .and. found == -1, 'an attribute that could not be deleted is still there')
    call MPI_Comm_set_attr(three, keyval, 1_MPI_ADDRESS_KIND, code)
    call MPI_Comm_free(one, ierror)
    call MPI_Comm_free(two, ierror)
    call expect_equal(deletes, 5, 'deleted with their communicators')
    call MPI_Comm_free_keyval(keyval, ierror)
    call MPI_Comm_free_keyval(refused, ierror)
  end subroutine

  subroutine of_mpi_1()
    HANDLE(MPI_Comm) :: comm
    integer :: keyval, found
    logical :: flag
    call MPI_Keyval_create(copy_integer, drop_integer, keyval, 10, ierror)
    call MPI_Attr_put(MPI_COMM_WORLD, keyval, 5, ierror)
    call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierror)
    call MPI_Attr_get(comm, keyval, found, flag, ierror)
    call expect_true(flag .and. found == 15, 'functions of MPI 1')
    call MPI_Comm_free(comm, ierror)
    call MPI_Attr_delete(MPI_COMM_WORLD, keyval, ierror)
    call MPI_Keyval_free(keyval, ierror)
    call MPI_Keyval_create(MPI_DUP_FN, MPI_NULL_DELETE_FN, keyval, 0, ierror)
    call MPI_Attr_put(MPI_COMM_WORLD, keyval, -3, ierror)
    call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierror)
    call MPI_Attr_get(comm, keyval, found, flag, ierror)
    call expect_true(flag .and. found == -3, 'MPI_DUP_FN')
    call MPI_Comm_free(comm, ierror)
    call MPI_Attr_delete(MPI_COMM_WORLD, keyval, ierror)
    call MPI_Keyval_free(keyval, ierror)
  end subroutine

  subroutine a_key_of_c()
    HANDLE(MPI_Comm) :: comm
    integer :: keyval, copied, deleted
    integer(MPI_ADDRESS_KIND) :: found
    logical :: flag
    call c_create_key(keyval)
    call MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, 123_MPI_ADDRESS_KIND, ierror)
    call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierror)
    call MPI_Comm_get_attr(comm, keyval, found, flag, ierror)
    call expect_true(flag .and. found == 123, 'set in Fortran, copied in C, read in Fortran')
    call MPI_Comm_free(comm, ierror)
    call MPI_Comm_delete_attr(MPI_COMM_WORLD, keyval, ierror)
    call c_counts(copied, deleted)
    call expect_true(copied == 1 .and. deleted == 2, 'functions of C were called')
    call MPI_Comm_free_keyval(keyval, ierror)
  end subroutine

  subroutine of_datatypes()
    HANDLE(MPI_Datatype) :: one, two
    integer :: keyval
    integer(MPI_ADDRESS_KIND) :: none, address, found
    integer(MPI_ADDRESS_KIND), external :: c_get_type
    logical :: flag
    none = 0
    call MPI_Type_create_keyval(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, keyval, none, ierror)
    call MPI_Type_contiguous(2, MPI_INTEGER, one, ierror)
    call MPI_Type_set_attr(one, keyval, 321_MPI_ADDRESS_KIND, ierror)
    call MPI_Type_dup(one, two, ierror)
    call MPI_Type_get_attr(two, keyval, found, flag, ierror)
    call expect_true(flag .and. found == 321, 'MPI_TYPE_DUP_FN')
    call expect_true(c_get_type(one, keyval) == 321, 'a datatype''s, read in C')
    call c_set_type(one, keyval, address)
    call MPI_Type_get_attr(one, keyval, found, flag, ierror)
    call expect_true(flag .and. found == address, 'a datatype''s, set in C')
    call MPI_Type_delete_attr(one, keyval, ierror)
    call MPI_Type_free(one, ierror)
    call MPI_Type_free(two, ierror)
    call MPI_Type_free_keyval(keyval, ierror)
  end subroutine

  subroutine of_windows()
    HANDLE(MPI_Win) :: win
    integer :: memory(10), keyval
    integer(MPI_ADDRESS_KIND) :: none, size, base, address, found
    integer(MPI_ADDRESS_KIND), external :: c_get_win
    logical :: flag
    integer, external :: c_window_is
    none = 0
    size = 40
    call MPI_Win_create(memory, size, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierror)
    call MPI_Get_address(memory, base, ierror)
    call MPI_Win_get_attr(win, MPI_WIN_BASE, found, flag, ierror)
    call expect_true(flag .and. found == base, 'MPI_WIN_BASE')
    call MPI_Win_get_attr(win, MPI_WIN_SIZE, found, flag, ierror)
    call expect_true(flag .and. found == size, 'MPI_WIN_SIZE')
    call MPI_Win_get_attr(win, MPI_WIN_DISP_UNIT, found, flag, ierror)
    call expect_true(flag .and. found == 4, 'MPI_WIN_DISP_UNIT')
    call MPI_Win_get_attr(win, MPI_WIN_CREATE_FLAVOR, found, flag, ierror)
    call expect_true(flag .and. found == MPI_WIN_FLAVOR_CREATE, 'MPI_WIN_CREATE_FLAVOR')
    call expect_equal(c_window_is(win, base, size, 4), 1, 'the window, as C sees it')
    call MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, keyval, none, ierror)
    call MPI_Win_set_attr(win, keyval, 55_MPI_ADDRESS_KIND, ierror)
    call expect_true(c_get_win(win, keyval) == 55, 'a window''s, read in C')
    call c_set_win(win, keyval, address)
    call MPI_Win_get_attr(win, keyval, found, flag, ierror)
    call expect_true(flag .and. found == address, 'a window''s, set in C')
    call MPI_Win_free(win, ierror)
    call MPI_Win_free_keyval(keyval, ierror)
  end subroutine

  subroutine predefined()
    integer(MPI_ADDRESS_KIND) :: found
    integer :: small
    logical :: flag
    call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, found, flag, ierror)
    call expect_true(flag .and. found >= 32767, 'MPI_TAG_UB is a value')
    call MPI_Attr_get(MPI_COMM_WORLD, MPI_TAG_UB, small, flag, ierror)
    call expect_true(flag .and. small == found, 'MPI_TAG_UB as an INTEGER')
    call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, found, flag, ierror)
    call expect_true(flag .and. (found == 0 .or. found == 1), 'MPI_WTIME_IS_GLOBAL')
  end subroutine

  subroutine statuses()
    STATUS :: one
    integer :: integers(MPI_STATUS_SIZE), source
    integer, external :: c_status
#if defined(F08)
    type(MPI_Status) :: back
#endif
    call MPI_Recv(source, 0, MPI_INTEGER, MPI_PROC_NULL, 0, MPI_COMM_WORLD, one, ierror)
    source = MPI_PROC_NULL
#if defined(F08)
    call MPI_Status_f082f(one, integers)
    call expect_equal(c_status(integers, source), 0, 'a status in C')
    call MPI_Status_f2f08(integers, back)
    call expect_true(back%MPI_SOURCE == MPI_PROC_NULL .and. back%MPI_TAG == 99, 'a status back from C')
#else
    integers = one
    call expect_equal(c_status(integers, source), 0, 'a status in C')
    call expect_equal(integers(MPI_TAG), 99, 'a status back from C')
#endif
  end subroutine
end program
