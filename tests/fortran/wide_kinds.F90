! Numbers of 128 bits: MPI_REAL16, MPI_COMPLEX32, MPI_INTEGER16 and MPI_LOGICAL16 in reductions, scans and accumulates. Each
! rank brings something so small beside 1 that no narrower kind would keep it.
#include "flavour.h"
program wide_kinds
  use expect
  USE_MPI
  implicit none
  INCLUDE_MPI
  integer, parameter :: quad = selected_real_kind(33, 4931), wide = selected_int_kind(38), many = 1000
  real(quad), parameter :: tiny_part = 2.0_quad**(-100)
  integer :: rank, size, ierror, i, code
  real(quad) :: mine, got, triangle, mines(many), gots(many)
  complex(quad) :: z, z_got, z_should
  integer(wide) :: n, n_got
  logical(wide) :: flag, flag_got
  HANDLE(MPI_Datatype) :: made

  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierror)
  triangle = size * (size - 1) / 2

  mine = 1 + rank * tiny_part
  call MPI_Allreduce(mine, got, 1, MPI_REAL16, MPI_SUM, MPI_COMM_WORLD, ierror)
  call expect_true(got == size + triangle * tiny_part, 'the sum of real(16)')
  call MPI_Allreduce(mine, got, 1, MPI_REAL16, MPI_MAX, MPI_COMM_WORLD, ierror)
  call expect_true(got == 1 + (size - 1) * tiny_part, 'the greatest real(16)')
  call MPI_Allreduce(mine, got, 1, MPI_REAL16, MPI_MIN, MPI_COMM_WORLD, ierror)
  call expect_true(got == 1, 'the least real(16)')
  call MPI_Allreduce(merge(1 + tiny_part, 2.0_quad, rank == 0), got, 1, MPI_REAL16, MPI_PROD, MPI_COMM_WORLD, ierror)
  call expect_true(got == 2.0_quad**(size - 1) * (1 + tiny_part), 'the product of real(16)')
  call MPI_Scan(mine, got, 1, MPI_REAL16, MPI_SUM, MPI_COMM_WORLD, ierror)
  call expect_true(got == rank + 1 + (rank * (rank + 1) / 2) * tiny_part, 'the scan of real(16)')

  mines = [(mine + i, i=1, many)]
  call MPI_Allreduce(mines, gots, many, MPI_REAL16, MPI_SUM, MPI_COMM_WORLD, ierror)
  call expect_true(all(gots == [(size * real(1 + i, quad) + triangle * tiny_part, i=1, many)]), 'the sums of many real(16)')
  call MPI_Type_create_f90_real(33, 4931, made, ierror)
  call MPI_Allreduce(mine, got, 1, made, MPI_SUM, MPI_COMM_WORLD, ierror)
  call expect_true(got == size + triangle * tiny_part, 'the sum of what MPI_Type_create_f90_real makes')

  z = cmplx(1, mine, quad)
  call MPI_Allreduce(z, z_got, 1, MPI_COMPLEX32, MPI_SUM, MPI_COMM_WORLD, ierror)
  call expect_true(z_got == cmplx(size, size + triangle * tiny_part, quad), 'the sum of complex(16)')
  z = merge((0, 1), (1, 0), rank == 0)
  if (rank == size - 1) z = z * (1 + tiny_part)
  z_should = cmplx(0, 1 + tiny_part, quad)
  call MPI_Allreduce(z, z_got, 1, MPI_COMPLEX32, MPI_PROD, MPI_COMM_WORLD, ierror)
  call expect_true(z_got == z_should, 'the product of complex(16)')

  n = 2_wide**100 + rank
  call MPI_Allreduce(n, n_got, 1, MPI_INTEGER16, MPI_SUM, MPI_COMM_WORLD, ierror)
  call expect_true(n_got == size * 2_wide**100 + size * (size - 1) / 2, 'the sum of integer(16)')
  call MPI_Allreduce(n, n_got, 1, MPI_INTEGER16, MPI_BOR, MPI_COMM_WORLD, ierror)
  call expect_true(btest(n_got, 100), 'the bits of integer(16)')
  flag = rank == 0
  call MPI_Allreduce(flag, flag_got, 1, MPI_LOGICAL16, MPI_LOR, MPI_COMM_WORLD, ierror)
  call expect_true(logical(flag_got), 'whether one logical(16) is true')
  call MPI_Allreduce(flag, flag_got, 1, MPI_LOGICAL16, MPI_LAND, MPI_COMM_WORLD, ierror)
  call expect_true(logical(flag_got) .eqv. size == 1, 'whether all logical(16) are true')

  call accumulate()

  ! gfortran has no real(2), and there is no arithmetic of it.
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierror)
  call MPI_Allreduce(mines, gots, 1, MPI_REAL2, MPI_SUM, MPI_COMM_WORLD, ierror)
  call MPI_Error_class(ierror, code, i)
  call expect_equal(code, MPI_ERR_OP, 'what a sum of MPI_REAL2 is')
  call MPI_Finalize(ierror)
  call verdict()
contains
  ! The numbers lie at a multiple of 8 alone.
  subroutine accumulate()
    HANDLE(MPI_Win) :: win
    integer(8) :: memory(5)
    integer(MPI_ADDRESS_KIND) :: place = 8
    memory = 0
    call MPI_Win_create(memory, 40_MPI_ADDRESS_KIND, 1, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierror)
    call MPI_Win_fence(0, win, ierror)
    call MPI_Accumulate(mine, 1, MPI_REAL16, 0, place, 1, MPI_REAL16, MPI_SUM, win, ierror)
    call MPI_Win_fence(0, win, ierror)
    got = transfer(memory(2:3), got)
    if (rank == 0) call expect_true(got == size + triangle * tiny_part, 'the accumulated real(16)')
    call MPI_Win_free(win, ierror)
  end subroutine
end program
