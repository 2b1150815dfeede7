! The standard's example of MPI_Alloc_mem with a Cray pointer, which is an integer of the size of addresses:
! -fcray-pointer.
#include "flavour.h"
program cray_pointer
  use expect
  USE_MPI
  implicit none
  INCLUDE_MPI
  real :: a
  pointer (p, a(100, 100))
  integer :: ierror
  integer(MPI_ADDRESS_KIND) :: bytes
  call MPI_Init(ierror)
  bytes = 4 * 100 * 100
  call MPI_Alloc_mem(bytes, MPI_INFO_NULL, p, ierror)
  a = 1.0
  a(3, 5) = 2.71
  call expect_true(abs(sum(a) - 10001.71) < 0.1, 'memory behind a Cray pointer')
  call MPI_Free_mem(a, ierror)
  call MPI_Finalize(ierror)
  call verdict()
end program
