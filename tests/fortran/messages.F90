! Messages, statuses, requests, strings, LOGICALs, topologies and reductions, from each flavour.
#include "flavour.h"
program messages
  use expect
  USE_MPI
  implicit none
  INCLUDE_MPI
  integer :: rank, size, ierror, next, previous
  logical :: flag

  call MPI_Initialized(flag, ierror)
  call expect_true(.not. flag, 'not initialized yet')
  call MPI_Init(ierror)
  call expect_equal(ierror, MPI_SUCCESS, 'MPI_Init')
  call MPI_Initialized(flag, ierror)
  call expect_true(flag, 'initialized')
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierror)
  next = mod(rank + 1, size)
  previous = mod(rank + size - 1, size)
  call ring()
  call many_requests()
  call matched()
  call buffered()
  call sentinels()
  call strings()
  call infos()
  call grids()
  call types()
  call times()
  call MPI_Finalize(ierror)
  call verdict()

contains

  subroutine ring()
    HANDLE(MPI_Request) :: request
    STATUS :: one
    integer :: sent(3), got(3), count
    real(8) :: values(4), others(4)
    sent = [rank, 10 * rank, 100 * rank]
    got = -1
    call MPI_Irecv(got, 3, MPI_INTEGER, previous, 7, MPI_COMM_WORLD, request, ierror)
    call MPI_Send(sent, 3, MPI_INTEGER, next, 7, MPI_COMM_WORLD, ierror)
    call MPI_Wait(request, one, ierror)
    call expect_true(request == MPI_REQUEST_NULL, 'a request that is over is null')
    call expect_true(all(got == [previous, 10 * previous, 100 * previous]), 'a message around the ring')
    call expect_equal(SOURCE_OF(one), previous, 'source')
    call expect_equal(TAG_OF(one), 7, 'tag')
    call MPI_Get_count(one, MPI_INTEGER, count, ierror)
    call expect_equal(count, 3, 'count')
    values = rank + 0.5d0
    call MPI_Sendrecv(values, 4, MPI_DOUBLE_PRECISION, next, 8, others, 4, MPI_DOUBLE_PRECISION, previous, 8, &
                      MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
    call expect_true(all(others == previous + 0.5d0), 'MPI_Sendrecv')
    call MPI_Sendrecv_replace(values, 4, MPI_DOUBLE_PRECISION, next, 9, previous, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
    call expect_true(all(values == previous + 0.5d0), 'MPI_Sendrecv_replace')
  end subroutine

  subroutine many_requests()
    integer, parameter :: n = 4
    HANDLE(MPI_Request) :: requests(2 * n)
    STATUSES(2 * n) :: all_statuses
    integer :: sent(n), got(n), i, index, indices(2 * n), done, total
    logical :: is_done
    do i = 1, n
      sent(i) = 1000 * rank + i
      call MPI_Irecv(got(i), 1, MPI_INTEGER, previous, i, MPI_COMM_WORLD, requests(i), ierror)
    end do
    do i = 1, n
      call MPI_Isend(sent(i), 1, MPI_INTEGER, next, i, MPI_COMM_WORLD, requests(n + i), ierror)
    end do
    call MPI_Waitall(2 * n, requests, all_statuses, ierror)
    call expect_true(all(got == [(1000 * previous + i, i = 1, n)]), 'MPI_Waitall')
    call expect_equal(SOURCE_AT(all_statuses, n), previous, 'source of the last receive')
    call MPI_Waitall(2 * n, requests, MPI_STATUSES_IGNORE, ierror)
    call MPI_Waitany(2 * n, requests, index, MPI_STATUS_IGNORE, ierror)
    call expect_equal(index, MPI_UNDEFINED, 'no active request')
    call MPI_Irecv(got, 1, MPI_INTEGER, MPI_PROC_NULL, 0, MPI_COMM_WORLD, requests(3), ierror)
    call MPI_Waitany(2 * n, requests, index, MPI_STATUS_IGNORE, ierror)
    call expect_equal(index, 3, 'indices count from one')
    call MPI_Irecv(got, 1, MPI_INTEGER, MPI_PROC_NULL, 0, MPI_COMM_WORLD, requests(1), ierror)
    call MPI_Irecv(got, 1, MPI_INTEGER, MPI_PROC_NULL, 0, MPI_COMM_WORLD, requests(8), ierror)
    total = 0
    do while (total < 9)
      call MPI_Testsome(2 * n, requests, done, indices, MPI_STATUSES_IGNORE, ierror)
      if (done == MPI_UNDEFINED) exit
      total = total + sum(indices(1:done))
    end do
    call expect_equal(total, 9, 'MPI_Testsome finds the first and the eighth')
    call MPI_Testall(2 * n, requests, is_done, MPI_STATUSES_IGNORE, ierror)
    call expect_true(is_done, 'MPI_Testall')
    call MPI_Send_init(sent, n, MPI_INTEGER, next, 5, MPI_COMM_WORLD, requests(1), ierror)
    call MPI_Recv_init(got, n, MPI_INTEGER, previous, 5, MPI_COMM_WORLD, requests(2), ierror)
    do i = 1, 3
      sent = 100 * i + rank
      call MPI_Startall(2, requests, ierror)
      call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierror)
      call expect_true(all(got == 100 * i + previous), 'persistent requests')
    end do
    call MPI_Request_free(requests(1), ierror)
    call MPI_Request_free(requests(2), ierror)
    call expect_true(requests(2) == MPI_REQUEST_NULL, 'MPI_Request_free')
  end subroutine

  subroutine matched()
    HANDLE(MPI_Message) :: message
    HANDLE(MPI_Request) :: request
    STATUS :: one
    integer :: value, got, round
    do round = 1, 3
      value = rank + round
      call MPI_Isend(value, 1, MPI_INTEGER, next, 3, MPI_COMM_WORLD, request, ierror)
      call MPI_Mprobe(MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, message, one, ierror)
      call expect_equal(SOURCE_OF(one), previous, 'source of a matched message')
      call expect_true(message /= MPI_MESSAGE_NULL, 'a message was matched')
      call MPI_Mrecv(got, 1, MPI_INTEGER, message, MPI_STATUS_IGNORE, ierror)
      call expect_equal(got, previous + round, 'MPI_Mrecv')
      call expect_true(message == MPI_MESSAGE_NULL, 'the message is gone')
      call MPI_Wait(request, MPI_STATUS_IGNORE, ierror)
    end do
  end subroutine

  ! In mpif.h and mpi the address of a detached buffer may be of any type, and stays as it was.
  subroutine buffered()
    use, intrinsic :: iso_c_binding, only: c_ptr, c_loc, c_associated
    integer, parameter :: room = MPI_BSEND_OVERHEAD + 100
    character, target :: buffer(room)
    integer :: got, bytes
#if defined(F08)
    type(c_ptr) :: address
#else
    real :: address(2)
    address = 7
#endif
    call MPI_Buffer_attach(buffer, room, ierror)
    call MPI_Bsend(rank, 1, MPI_INTEGER, next, 4, MPI_COMM_WORLD, ierror)
    call MPI_Recv(got, 1, MPI_INTEGER, previous, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
    call expect_equal(got, previous, 'MPI_Bsend')
    call MPI_Buffer_detach(address, bytes, ierror)
    call expect_equal(bytes, room, 'size of a detached buffer')
#if defined(F08)
    call expect_true(c_associated(address, c_loc(buffer)), 'address of a detached buffer')
#else
    call expect_true(all(address == 7), 'no address of a detached buffer')
#endif
  end subroutine

  subroutine sentinels()
    integer :: numbers(2), buffer_type_blocks(1)
    integer(MPI_ADDRESS_KIND) :: where(1)
    HANDLE(MPI_Datatype) :: absolute
    logical :: truths(2), both
    numbers = [rank, 1]
    call MPI_Allreduce(MPI_IN_PLACE, numbers, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
    call expect_equal(numbers(1), size * (size - 1) / 2, 'MPI_IN_PLACE')
    call expect_equal(numbers(2), size, 'MPI_IN_PLACE')
    call MPI_Get_address(numbers, where(1), ierror)
    buffer_type_blocks = 2
    call MPI_Type_create_hindexed(1, buffer_type_blocks, where, MPI_INTEGER, absolute, ierror)
    call MPI_Type_commit(absolute, ierror)
    if (rank == 0) numbers = [17, 18]
    call MPI_Bcast(MPI_BOTTOM, 1, absolute, 0, MPI_COMM_WORLD, ierror)
    call expect_true(all(numbers == [17, 18]), 'MPI_BOTTOM')
    call MPI_Type_free(absolute, ierror)
    call expect_true(absolute == MPI_DATATYPE_NULL, 'MPI_Type_free')
    truths = [rank == 0, .true.]
    call MPI_Allreduce(truths(1), both, 1, MPI_LOGICAL, MPI_LOR, MPI_COMM_WORLD, ierror)
    call expect_true(both, 'MPI_LOR')
    call MPI_Allreduce(truths(1), both, 1, MPI_LOGICAL, MPI_LAND, MPI_COMM_WORLD, ierror)
    call expect_true(both .eqv. size == 1, 'MPI_LAND')
  end subroutine

  subroutine strings()
    character(len=MPI_MAX_OBJECT_NAME) :: name
    character(len=5) :: short
    character(len=MPI_MAX_PROCESSOR_NAME) :: processor
    character(len=MPI_MAX_ERROR_STRING) :: text
    character(len=MPI_MAX_LIBRARY_VERSION_STRING) :: library
    integer :: length, class
    HANDLE(MPI_Comm) :: comm
    call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierror)
    call MPI_Comm_set_name(comm, '  a name with blanks   ', ierror)
    name = repeat('x', len(name))
    call MPI_Comm_get_name(comm, name, length, ierror)
    call expect_equal(length, 20, 'length of a name')
    call expect_true(name == '  a name with blanks', 'padded with blanks')
    call MPI_Comm_get_name(comm, short, length, ierror)
    call expect_true(short == '  a n', 'cut off where it is too long')
    call MPI_Comm_free(comm, ierror)
    call expect_true(comm == MPI_COMM_NULL, 'MPI_Comm_free')
    call MPI_Get_processor_name(processor, length, ierror)
    call expect_equal(len_trim(processor), length, 'length of the processor''s name')
    call MPI_Error_string(MPI_ERR_RANK, text, length, ierror)
    call expect_true(length > 0 .and. len_trim(text) == length, 'MPI_Error_string')
    call MPI_Error_class(MPI_ERR_RANK, class, ierror)
    call expect_equal(class, MPI_ERR_RANK, 'MPI_Error_class')
    call MPI_Get_library_version(library, length, ierror)
    call expect_true(length > 3 .and. index(library, char(0)) == 0, 'no null characters in Fortran')
  end subroutine

  subroutine infos()
    HANDLE(MPI_Info) :: info
    character(len=20) :: value
    character(len=MPI_MAX_INFO_KEY) :: key
    integer :: length, keys
    logical :: found
    call MPI_Info_create(info, ierror)
    call MPI_Info_set(info, '  key ', ' the value  ', ierror)
    value = '?'
    call MPI_Info_get(info, 'key', len(value), value, found, ierror)
    call expect_true(found .and. value == 'the value', 'MPI_Info_get strips blanks at both ends')
    call MPI_Info_get_valuelen(info, 'key', length, found, ierror)
    call expect_equal(length, 9, 'MPI_Info_get_valuelen')
    length = 0
    value = 'kept'
    call MPI_Info_get_string(info, 'key', length, value, found, ierror)
    call expect_equal(length, 9, 'MPI_Info_get_string counts no null character')
    call expect_true(found .and. value == 'kept', 'a length of zero asks for the length alone')
    call MPI_Info_get_string(info, 'key', length, value, found, ierror)
    call expect_true(value == 'the value', 'MPI_Info_get_string')
    length = 3
    call MPI_Info_get_string(info, 'key', length, value, found, ierror)
    call expect_true(value == 'the' .and. length == 9, 'MPI_Info_get_string cuts off')
    call MPI_Info_get(info, 'other', len(value), value, found, ierror)
    call expect_true(.not. found .and. value == 'the', 'what is not there changes nothing')
    call MPI_Info_get_nkeys(info, keys, ierror)
    call expect_equal(keys, 1, 'MPI_Info_get_nkeys')
    call MPI_Info_get_nthkey(info, 0, key, ierror)
    call expect_true(key == 'key', 'MPI_Info_get_nthkey')
    call MPI_Info_free(info, ierror)
    call expect_true(info == MPI_INFO_NULL, 'MPI_Info_free')
  end subroutine

  subroutine grids()
    HANDLE(MPI_Comm) :: grid, row, graph
    integer :: dims(2), coords(2), dims_found(2), below, above, in, out, sources(1), targets(1), from, to
    logical :: periods(2), periods_found(2), remain(2), weighted
    HANDLE(MPI_Group) :: group, part
    integer :: ranges(3, 1), members
    dims = 0
    call MPI_Dims_create(size, 2, dims, ierror)
    call expect_equal(product(dims), size, 'MPI_Dims_create')
    periods = [.true., .false.]
    call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, .false., grid, ierror)
    call MPI_Cart_get(grid, 2, dims_found, periods_found, coords, ierror)
    call expect_true(all(periods .eqv. periods_found), 'LOGICALs of a grid')
    call expect_true(all(dims == dims_found), 'dimensions of a grid')
    call MPI_Cart_shift(grid, 1, 1, below, above, ierror)
    call expect_true(coords(2) > 0 .or. below == MPI_PROC_NULL, 'directions count from zero')
    remain = [.false., .true.]
    call MPI_Cart_sub(grid, remain, row, ierror)
    call MPI_Comm_size(row, members, ierror)
    call expect_equal(members, dims(2), 'MPI_Cart_sub')
    call MPI_Comm_free(row, ierror)
    call MPI_Comm_free(grid, ierror)
    sources = previous
    targets = next
    call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, sources, MPI_UNWEIGHTED, 1, targets, MPI_UNWEIGHTED, MPI_INFO_NULL, &
                                        .false., graph, ierror)
    call MPI_Dist_graph_neighbors_count(graph, in, out, weighted, ierror)
    call expect_true(in == 1 .and. out == 1 .and. .not. weighted, 'MPI_UNWEIGHTED')
    call MPI_Dist_graph_neighbors(graph, 1, sources, MPI_UNWEIGHTED, 1, targets, MPI_UNWEIGHTED, ierror)
    call MPI_Neighbor_alltoall(rank, 1, MPI_INTEGER, from, 1, MPI_INTEGER, graph, ierror)
    call expect_equal(from, previous, 'MPI_Neighbor_alltoall')
    call MPI_Comm_free(graph, ierror)
    call MPI_Comm_group(MPI_COMM_WORLD, group, ierror)
    ranges(:, 1) = [0, size - 1, 2]
    call MPI_Group_range_incl(group, 1, ranges, part, ierror)
    call MPI_Group_size(part, members, ierror)
    call expect_equal(members, (size + 1) / 2, 'MPI_Group_range_incl')
    call MPI_Group_translate_ranks(part, 1, [members - 1], group, targets, ierror)
    to = targets(1)
    call expect_equal(to, 2 * (members - 1), 'MPI_Group_translate_ranks')
    call MPI_Group_free(part, ierror)
    call MPI_Group_free(group, ierror)
  end subroutine

  subroutine types()
    HANDLE(MPI_Datatype) :: found, pieces(2), each(size)
    integer :: bytes, integers, addresses, datatypes, combiner, numbers(4), sent(size), got(size), ones(size), places(size), i
    integer(MPI_ADDRESS_KIND) :: lower, extent, displacements(2), none(1)
    call MPI_Type_match_size(MPI_TYPECLASS_REAL, 8, found, ierror)
    call MPI_Type_size(found, bytes, ierror)
    call expect_equal(bytes, 8, 'MPI_Type_match_size')
    call MPI_Type_create_f90_integer(9, found, ierror)
    call MPI_Type_size(found, bytes, ierror)
    call expect_equal(bytes, storage_size(int(0, selected_int_kind(9))) / 8, 'MPI_Type_create_f90_integer')
    call MPI_Type_create_f90_real(15, 307, found, ierror)
    call MPI_Type_size(found, bytes, ierror)
    call expect_equal(bytes, storage_size(real(0, selected_real_kind(15, 307))) / 8, 'MPI_Type_create_f90_real')
    call MPI_Type_size(MPI_LOGICAL, bytes, ierror)
    call expect_equal(bytes, storage_size(.true.) / 8, 'size of a LOGICAL')
    call MPI_Type_size(MPI_2DOUBLE_PRECISION, bytes, ierror)
    call expect_equal(bytes, 16, 'size of two DOUBLE PRECISIONs')
    displacements = [0_MPI_ADDRESS_KIND, 8_MPI_ADDRESS_KIND]
    pieces(1) = MPI_INTEGER
    pieces(2) = MPI_DOUBLE_PRECISION
    call MPI_Type_create_struct(2, [1, 1], displacements, pieces, found, ierror)
    call MPI_Type_get_extent(found, lower, extent, ierror)
    call expect_true(lower == 0 .and. extent == 16, 'MPI_Type_create_struct')
    call MPI_Type_get_envelope(found, integers, addresses, datatypes, combiner, ierror)
    call expect_true(integers == 3 .and. addresses == 2 .and. datatypes == 2 .and. combiner == MPI_COMBINER_STRUCT, 'an envelope')
    pieces = MPI_DATATYPE_NULL
    call MPI_Type_get_contents(found, 3, 2, 2, numbers, displacements, pieces, ierror)
    call expect_true(pieces(2) == MPI_DOUBLE_PRECISION, 'datatypes that come out of a call')
    call MPI_Type_free(found, ierror)
    none = 0
    sent = [(100 * rank + i, i = 1, size)]
    ones = 1
    places = [(4 * (i - 1), i = 1, size)]
    each = MPI_INTEGER
    call MPI_Alltoallw(sent, ones, places, each, got, ones, places, each, MPI_COMM_WORLD, ierror)
    call expect_true(all(got == [(100 * (i - 1) + rank + 1, i = 1, size)]), 'MPI_Alltoallw, a datatype for each')
    call MPI_Alltoallw(MPI_IN_PLACE, ones, places, [MPI_DATATYPE_NULL], got, ones, places, each, MPI_COMM_WORLD, ierror)
    call expect_true(all(got == sent), 'MPI_Alltoallw in place')
  end subroutine

  subroutine times()
    double precision :: begin
    integer(MPI_ADDRESS_KIND) :: there
    integer :: things(4)
    begin = MPI_Wtime()
    call expect_true(MPI_Wtime() >= begin .and. MPI_Wtick() > 0, 'MPI_Wtime')
    call MPI_Get_address(things, there, ierror)
    call expect_true(MPI_Aint_diff(MPI_Aint_add(there, 8_MPI_ADDRESS_KIND), there) == 8, 'MPI_Aint_add')
  end subroutine
end program
