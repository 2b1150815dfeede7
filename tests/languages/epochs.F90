! Memory that MPI allocates, and a window over it, between post and wait, start and complete, post and test.
#include "flavour.h"
program epochs
  use, intrinsic :: iso_c_binding
  USE_MPI
  implicit none
  INCLUDE_MPI
  integer :: rank, size, next, previous, ierror, got(2)
  integer, pointer, asynchronous :: memory(:)
  integer(MPI_ADDRESS_KIND) :: bytes, first, second
  logical :: flag
  HANDLE(MPI_Win) :: win
  HANDLE(MPI_Group) :: everybody, to, from
#if defined(F08) || defined(MPI)
  type(c_ptr) :: address
#else
  integer(MPI_ADDRESS_KIND) :: address
#endif
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierror)
  next = mod(rank + 1, size)
  previous = mod(rank + size - 1, size)
  first = 0
  second = 1
  bytes = 8
  call MPI_Alloc_mem(bytes, MPI_INFO_NULL, address, ierror)
  call c_f_pointer(transfer(address, c_null_ptr), memory, [2])
  memory = [10 * rank, -1]
  call MPI_Win_create(memory, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierror)
  call MPI_Win_get_group(win, everybody, ierror)
  call MPI_Group_incl(everybody, 1, [next], to, ierror)
  call MPI_Group_incl(everybody, 1, [previous], from, ierror)
  call MPI_Win_post(from, 0, win, ierror)
  call MPI_Win_start(to, 0, win, ierror)
  call MPI_Put(rank, 1, MPI_INTEGER, next, second, 1, MPI_INTEGER, win, ierror)
  call MPI_Win_complete(win, ierror)
  call MPI_Win_wait(win, ierror)
  call say(rank, 'was put here', memory(2))
  got = -1
  call MPI_Win_post(from, 0, win, ierror)
  call MPI_Win_start(to, 0, win, ierror)
  call MPI_Get(got, 2, MPI_INTEGER, next, first, 2, MPI_INTEGER, win, ierror)
  call MPI_Win_complete(win, ierror)
  flag = .false.
  do while (.not. flag)
    call MPI_Win_test(win, flag, ierror)
  end do
  call say(rank, 'got first', got(1))
  call say(rank, 'got second', got(2))
  call MPI_Group_free(everybody, ierror)
  call MPI_Group_free(to, ierror)
  call MPI_Group_free(from, ierror)
  call MPI_Win_free(win, ierror)
  call say(rank, 'window is gone', merge(1, 0, win == MPI_WIN_NULL))
  call MPI_Free_mem(memory, ierror)
  call say(rank, 'memory is freed', merge(1, 0, ierror == MPI_SUCCESS))
  call MPI_Finalize(ierror)
end program
