! With MPI_THREAD_MULTIPLE a short message needs no lane (docs/decisions/0009): it goes while another thread is in MPI and
! stays there (held_lane.c). So the handles of a call's arguments must be found without the lane, too.
#include "flavour.h"
module holder
  use, intrinsic :: iso_c_binding
  implicit none
  interface
    subroutine hold_the_lane() bind(C)
    end subroutine
    function let_the_lane_go() bind(C) result(was_not_needed)
      import
      integer(c_int) :: was_not_needed
    end function
    function handles_come_back() bind(C) result(they_do)
      import
      integer(c_int) :: they_do
    end function
  end interface
end module

program beside_the_lane
  use expect
  use holder
  USE_MPI
  implicit none
  INCLUDE_MPI
  integer :: rank, size, provided, ierror, i, got(2), they_do
  HANDLE(MPI_Comm) :: own
  HANDLE(MPI_Datatype) :: pair

  call MPI_Init_thread(MPI_THREAD_MULTIPLE, provided, ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierror)
  call MPI_Comm_dup(MPI_COMM_WORLD, own, ierror)
  call MPI_Type_contiguous(2, MPI_INTEGER, pair, ierror)
  call MPI_Type_commit(pair, ierror)
  they_do = handles_come_back()

  ! The first messages make the links.
  do i = 1, 2
    if (i == 2) call MPI_Barrier(MPI_COMM_WORLD, ierror)
    if (i == 2 .and. rank == 0) call hold_the_lane()
    if (rank == 0 .and. size > 1) then
      call MPI_Send([1, 2], 2, MPI_INTEGER, 1, 1, MPI_COMM_WORLD, ierror)
      call MPI_Send([3, 4], 1, pair, 1, 2, own, ierror)
    end if
    if (i == 2 .and. rank == 0) then
      they_do = handles_come_back()
      call expect_equal(they_do, 1, 'whether handles come back')
      call expect_equal(let_the_lane_go(), 1, 'whether what was done needed no lane')
    end if
    if (rank == 1) then
      call MPI_Recv(got, 2, MPI_INTEGER, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
      call expect_true(all(got == [1, 2]), 'what came on MPI_COMM_WORLD')
      call MPI_Recv(got, 2, MPI_INTEGER, 0, 2, own, MPI_STATUS_IGNORE, ierror)
      call expect_true(all(got == [3, 4]), 'what came on a communicator of the program')
    end if
  end do
  call MPI_Finalize(ierror)
  call verdict()
end program
