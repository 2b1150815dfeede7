! Memory that MPI allocates, windows, and their synchronization: post, start, complete, wait and test; communicators:
! dup, create, split, of two groups.
#include "flavour.h"
program windows
  use, intrinsic :: iso_c_binding
  use expect
  USE_MPI
  implicit none
  INCLUDE_MPI
  integer :: rank, size, ierror

  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierror)
  call allocated()
  call fences()
  call epochs()
  call communicators()
  call between_groups()
  call MPI_Finalize(ierror)
  call verdict()

contains

  subroutine allocated()
    integer(MPI_ADDRESS_KIND) :: bytes
#if defined(F08) || defined(MPI)
    type(c_ptr) :: memory
    real(8), pointer :: values(:)
    bytes = 8 * 1000
    call MPI_Alloc_mem(bytes, MPI_INFO_NULL, memory, ierror)
    call c_f_pointer(memory, values, [1000])
    values = 1.5d0
    call expect_true(sum(values) == 1500, 'MPI_Alloc_mem with a C pointer')
    call MPI_Free_mem(values, ierror)
#endif
#if !defined(F08)
    block
      integer(MPI_ADDRESS_KIND) :: address
      bytes = 80
      call MPI_Alloc_mem(bytes, MPI_INFO_NULL, address, ierror)
      call expect_true(address /= 0, 'MPI_Alloc_mem with an address')
      call free_at(address)
    end block
#endif
  end subroutine

#if !defined(F08)
  subroutine free_at(address)
    integer(MPI_ADDRESS_KIND), intent(in) :: address
    integer, pointer :: memory(:)
    call c_f_pointer(transfer(address, c_null_ptr), memory, [20])
    memory = 3
    call MPI_Free_mem(memory, ierror)
  end subroutine
#endif

  subroutine fences()
    HANDLE(MPI_Win) :: win
    integer(MPI_ADDRESS_KIND) :: bytes, place
    integer :: unit
#if defined(F08) || defined(MPI)
    type(c_ptr) :: base
    integer, pointer :: shared(:)
    bytes = 4 * size
    call MPI_Win_allocate(bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, base, win, ierror)
    call c_f_pointer(base, shared, [size])
    shared = -1
#else
    integer :: shared(size)
    bytes = 4 * size
    shared = -1
    call MPI_Win_create(shared, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierror)
#endif
    call MPI_Win_fence(0, win, ierror)
    place = rank
    do unit = 0, size - 1
      call MPI_Put(rank, 1, MPI_INTEGER, unit, place, 1, MPI_INTEGER, win, ierror)
    end do
    call MPI_Win_fence(0, win, ierror)
    call expect_true(all(shared == [(unit, unit = 0, size - 1)]), 'MPI_Put between fences')
    call MPI_Win_free(win, ierror)
    call expect_true(win == MPI_WIN_NULL, 'MPI_Win_free')
  end subroutine

  subroutine epochs()
    HANDLE(MPI_Win) :: win
    HANDLE(MPI_Group) :: everybody, next, previous
    integer :: memory(2), got(2), neighbor(1)
    integer(MPI_ADDRESS_KIND) :: bytes, place
    logical :: flag
    memory = [rank, -1]
    bytes = 8
    call MPI_Win_create(memory, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierror)
    call MPI_Win_get_group(win, everybody, ierror)
    neighbor = mod(rank + 1, size)
    call MPI_Group_incl(everybody, 1, neighbor, next, ierror)
    neighbor = mod(rank + size - 1, size)
    call MPI_Group_incl(everybody, 1, neighbor, previous, ierror)
    neighbor = mod(rank + 1, size)
    place = 1
    call MPI_Win_post(previous, 0, win, ierror)
    call MPI_Win_start(next, 0, win, ierror)
    call MPI_Put(rank, 1, MPI_INTEGER, neighbor(1), place, 1, MPI_INTEGER, win, ierror)
    call MPI_Win_complete(win, ierror)
    call MPI_Win_wait(win, ierror)
    call expect_equal(memory(2), mod(rank + size - 1, size), 'MPI_Put between post and wait')
    place = 0
    got = -1
    call MPI_Win_post(previous, 0, win, ierror)
    call MPI_Win_start(next, 0, win, ierror)
    call MPI_Get(got, 2, MPI_INTEGER, neighbor(1), place, 2, MPI_INTEGER, win, ierror)
    call MPI_Win_complete(win, ierror)
    flag = .false.
    do while (.not. flag)
      call MPI_Win_test(win, flag, ierror)
    end do
    call expect_true(got(1) == neighbor(1) .and. got(2) == rank, 'MPI_Get between post and test')
    call MPI_Group_free(everybody, ierror)
    call MPI_Group_free(next, ierror)
    call MPI_Group_free(previous, ierror)
    call MPI_Win_free(win, ierror)
  end subroutine

  subroutine communicators()
    HANDLE(MPI_Comm) :: copy, half, some
    HANDLE(MPI_Group) :: group, evens
    HANDLE(MPI_Request) :: request
    integer :: result, members, i
    call MPI_Comm_dup(MPI_COMM_WORLD, copy, ierror)
    call MPI_Comm_compare(MPI_COMM_WORLD, copy, result, ierror)
    call expect_equal(result, MPI_CONGRUENT, 'MPI_Comm_dup')
    call MPI_Comm_split(copy, mod(rank, 2), -rank, half, ierror)
    call MPI_Comm_size(half, members, ierror)
    call expect_equal(members, (size + 1 - mod(rank, 2)) / 2, 'MPI_Comm_split')
    call MPI_Comm_free(half, ierror)
    call MPI_Comm_split(copy, merge(0, MPI_UNDEFINED, rank == 0), 0, half, ierror)
    call expect_true((half /= MPI_COMM_NULL) .eqv. rank == 0, 'a color that is undefined')
    if (rank == 0) call MPI_Comm_free(half, ierror)
    call MPI_Comm_group(copy, group, ierror)
    call MPI_Group_incl(group, (size + 1) / 2, [(i, i = 0, size - 1, 2)], evens, ierror)
    call MPI_Comm_create(copy, evens, some, ierror)
    call expect_true((some /= MPI_COMM_NULL) .eqv. mod(rank, 2) == 0, 'MPI_Comm_create')
    if (some /= MPI_COMM_NULL) call MPI_Comm_free(some, ierror)
    call MPI_Comm_idup(copy, some, request, ierror)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierror)
    call MPI_Barrier(some, ierror)
    call MPI_Comm_free(some, ierror)
    call MPI_Group_free(group, ierror)
    call MPI_Group_free(evens, ierror)
    call MPI_Comm_free(copy, ierror)
  end subroutine

  subroutine between_groups()
    HANDLE(MPI_Comm) :: half, inter, part, merged
    integer :: color, others, total, mine
    logical :: is_inter
    if (size < 2) return
    color = mod(rank, 2)
    call MPI_Comm_split(MPI_COMM_WORLD, color, rank, half, ierror)
    call MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - color, 12, inter, ierror)
    call MPI_Comm_test_inter(inter, is_inter, ierror)
    call expect_true(is_inter, 'MPI_Intercomm_create')
    call MPI_Comm_remote_size(inter, others, ierror)
    call expect_equal(others, (size + color) / 2, 'MPI_Comm_remote_size')
    mine = 1
    call MPI_Allreduce(mine, total, 1, MPI_INTEGER, MPI_SUM, inter, ierror)
    call expect_equal(total, others, 'a sum over the other group')
    call MPI_Comm_split(inter, 0, rank, part, ierror)
    call MPI_Comm_remote_size(part, others, ierror)
    call expect_equal(others, (size + color) / 2, 'an intercommunicator, split')
    call MPI_Comm_free(part, ierror)
    call MPI_Intercomm_merge(inter, color == 1, merged, ierror)
    call MPI_Comm_size(merged, total, ierror)
    call expect_equal(total, size, 'MPI_Intercomm_merge')
    call MPI_Comm_free(merged, ierror)
    call MPI_Comm_free(inter, ierror)
    call MPI_Comm_free(half, ierror)
  end subroutine
end program
