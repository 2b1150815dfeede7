! Communicators: dup, create, split, and the same of two groups.
#include "flavour.h"
program communicators
  USE_MPI
  implicit none
  INCLUDE_MPI
  integer :: rank, size, ierror
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierror)
  call of_one_group()
  if (size > 1) call of_two_groups()
  call MPI_Finalize(ierror)

contains

  subroutine of_one_group()
    HANDLE(MPI_Comm) :: copy, half, some
    HANDLE(MPI_Group) :: group, evens
    integer :: result, members, place, ranges(3, 1)
    call MPI_Comm_dup(MPI_COMM_WORLD, copy, ierror)
    call MPI_Comm_compare(MPI_COMM_WORLD, copy, result, ierror)
    call say(rank, 'copy is congruent', merge(1, 0, result == MPI_CONGRUENT))
    call MPI_Comm_split(copy, mod(rank, 2), -rank, half, ierror)
    call MPI_Comm_size(half, members, ierror)
    call MPI_Comm_rank(half, place, ierror)
    call say(rank, 'half has', members)
    call say(rank, 'place in half', place)
    call MPI_Comm_free(half, ierror)
    call MPI_Comm_split(copy, merge(0, MPI_UNDEFINED, rank == 0), 0, half, ierror)
    call say(rank, 'no color, no communicator', merge(1, 0, half == MPI_COMM_NULL))
    if (half /= MPI_COMM_NULL) call MPI_Comm_free(half, ierror)
    call MPI_Comm_group(copy, group, ierror)
    ranges(:, 1) = [0, size - 1, 2]
    call MPI_Group_range_incl(group, 1, ranges, evens, ierror)
    call MPI_Comm_create(copy, evens, some, ierror)
    members = 0
    if (some /= MPI_COMM_NULL) call MPI_Comm_size(some, members, ierror)
    call say(rank, 'created of even ranks', members)
    if (some /= MPI_COMM_NULL) call MPI_Comm_free(some, ierror)
    call MPI_Group_free(evens, ierror)
    call MPI_Group_free(group, ierror)
    call MPI_Comm_free(copy, ierror)
  end subroutine

  subroutine of_two_groups()
    HANDLE(MPI_Comm) :: half, inter, copy, part, first, merged
    HANDLE(MPI_Group) :: group, leader
    integer :: color, others, total
    logical :: flag
    color = mod(rank, 2)
    call MPI_Comm_split(MPI_COMM_WORLD, color, rank, half, ierror)
    call MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - color, 12, inter, ierror)
    call MPI_Comm_test_inter(inter, flag, ierror)
    call say(rank, 'has two groups', merge(1, 0, flag))
    call MPI_Comm_dup(inter, copy, ierror)
    call MPI_Comm_remote_size(copy, others, ierror)
    call say(rank, 'others of a copy', others)
    call MPI_Allreduce(rank, total, 1, MPI_INTEGER, MPI_SUM, copy, ierror)
    call say(rank, 'sum of the others', total)
    call MPI_Comm_split(inter, mod(rank / 2, 2), rank, part, ierror)
    others = 0
    if (part /= MPI_COMM_NULL) call MPI_Comm_remote_size(part, others, ierror)
    call say(rank, 'others of a part', others)
    if (part /= MPI_COMM_NULL) call MPI_Comm_free(part, ierror)
    call MPI_Comm_group(inter, group, ierror)
    call MPI_Group_incl(group, 1, [0], leader, ierror)
    call MPI_Comm_create(inter, leader, first, ierror)
    call say(rank, 'created of two leaders', merge(1, 0, first /= MPI_COMM_NULL))
    if (first /= MPI_COMM_NULL) call MPI_Comm_free(first, ierror)
    call MPI_Intercomm_merge(inter, color == 1, merged, ierror)
    call MPI_Comm_rank(merged, total, ierror)
    call say(rank, 'place when merged', total)
    call MPI_Group_free(leader, ierror)
    call MPI_Group_free(group, ierror)
    call MPI_Comm_free(merged, ierror)
    call MPI_Comm_free(copy, ierror)
    call MPI_Comm_free(inter, ierror)
    call MPI_Comm_free(half, ierror)
  end subroutine
end program
