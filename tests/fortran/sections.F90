! mpi_f08 alone: array sections that are not contiguous, large counts, keyword and optional arguments.
program sections
  use expect
  use mpi_f08
  implicit none
  type point
    sequence
    real(8) :: x
    integer :: kind
    integer :: color
  end type
  integer :: rank, size, next, previous

  call MPI_Init()
  call MPI_Comm_rank(comm=MPI_COMM_WORLD, rank=rank)
  call MPI_Comm_size(MPI_COMM_WORLD, size)
  next = mod(rank + 1, size)
  previous = mod(rank + size - 1, size)
  call expect_true(MPI_SUBARRAYS_SUPPORTED .and. MPI_ASYNC_PROTECTS_NONBLOCKING, 'what mpi_f08 promises')
  call vectors()
  call planes()
  call elements()
  call misfits()
  call collectives()
  call nonblocking_collectives()
  call persistent()
  call persistent_collectives()
  call partitions()
  call one_sided()
  call packed()
  call large_counts()
  call sizes()
  call handles()
  call MPI_Finalize()
  call verdict()

contains

  ! Sent from where they lie, after the call has returned.
  subroutine vectors()
    integer, asynchronous :: a(20), b(30)
    type(MPI_Request) :: requests(2)
    type(MPI_Status) :: one
    integer :: i, count
    a = -1
    b = -2
    call MPI_Irecv(b(3:30:3), 10, MPI_INTEGER, previous, 0, MPI_COMM_WORLD, requests(1))
    call MPI_Isend(a(1:20:2), 10, MPI_INTEGER, next, 0, MPI_COMM_WORLD, requests(2))
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
    call expect_true(all(b(3:30:3) == -1) .and. count_of(b, -2) == 20, 'a section to a section')
    a = [(100 * rank + i, i = 1, 20)]
    ! Backwards, and only the first seven.
    call MPI_Irecv(b(30:1:-2), 7, MPI_INTEGER, previous, 0, MPI_COMM_WORLD, requests(1))
    call MPI_Send(a(20:2:-2), 7, MPI_INTEGER, next, 0, MPI_COMM_WORLD)
    call MPI_Wait(requests(1), one)
    call MPI_Get_count(one, MPI_INTEGER, count)
    call expect_equal(count, 7, 'count of a section')
    call expect_true(all(b(30:18:-2) == [(100 * previous + i, i = 20, 8, -2)]), 'backwards')
    call expect_equal(b(15), -1, 'what is past the count is not touched')
  end subroutine

  integer function count_of(array, value)
    integer, intent(in) :: array(:), value
    count_of = count(array == value)
  end function

  ! More dimensions, and counts that end in the middle of them.
  subroutine planes()
    integer :: a(6, 5, 4), b(12), c(6, 5, 4), n, i
    type(MPI_Request) :: request
    a = reshape([(i, i = 1, 120)], [6, 5, 4]) + 1000 * rank
    do n = 1, 12
      b = -1
      call MPI_Irecv(b, 12, MPI_INTEGER, previous, n, MPI_COMM_WORLD, request)
      call MPI_Send(a(2:6:2, 1:5:4, 1:4:2), n, MPI_INTEGER, next, n, MPI_COMM_WORLD)
      call MPI_Wait(request, MPI_STATUS_IGNORE)
      call expect_true(all(b == merge(expected(a), -1, [(i <= n, i = 1, 12)])), 'the first elements of a section')
      c = 0
      call MPI_Irecv(c(1:6, 2:4, 3:4), 36, MPI_INTEGER, previous, 50 + n, MPI_COMM_WORLD, request)
      call MPI_Send(a, 3 * n, MPI_INTEGER, next, 50 + n, MPI_COMM_WORLD)
      call MPI_Wait(request, MPI_STATUS_IGNORE)
      call expect_equal(count(c /= 0), 3 * n, 'received into a part of a matrix')
      call expect_true(c(1, 2, 3) == a(1, 1, 1) + 1000 * (previous - rank), 'received into a part of a matrix')
    end do
  end subroutine

  function expected(a)
    integer, intent(in) :: a(6, 5, 4)
    integer :: expected(12)
    expected = reshape(a(2:6:2, 1:5:4, 1:4:2), [12]) + 1000 * (previous - rank)
  end function

  ! Datatypes that are not the elements' own: pieces of elements, whole elements with gaps, rows of them.
  subroutine elements()
    complex(8) :: z(10), w(10)
    type(point) :: p(8), q(8)
    integer :: a(4, 6), b(8)
    type(MPI_Datatype) :: coordinate, row, pair
    integer :: i
    z = [(cmplx(i, -i, 8), i = 1, 10)]
    w = 0
    call MPI_Sendrecv(z(1:10:2), 10, MPI_DOUBLE_PRECISION, next, 1, w(2:10:2), 5, MPI_DOUBLE_COMPLEX, previous, 1, &
                      MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call expect_true(all(w(2:10:2) == z(1:10:2)) .and. all(w(1:10:2) == 0), 'pieces of elements')
    ! A point without its color: 12 bytes of 16.
    call MPI_Type_create_struct(2, [1, 1], [0_MPI_ADDRESS_KIND, 8_MPI_ADDRESS_KIND], [MPI_DOUBLE_PRECISION, MPI_INTEGER], row)
    call MPI_Type_create_resized(row, 0_MPI_ADDRESS_KIND, 16_MPI_ADDRESS_KIND, coordinate)
    call MPI_Type_commit(coordinate)
    do i = 1, 8
      p(i) = point(real(i, 8), 10 * i, 100 * i)
      q(i) = point(0.0d0, 0, 7)
    end do
    call MPI_Sendrecv(p(1:8:3), 3, coordinate, next, 2, q(2:8:3), 3, coordinate, previous, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call expect_true(all(q(2:8:3)%x == [1, 4, 7]) .and. all(q%color == 7) .and. q(5)%kind == 40, 'elements with gaps')
    call MPI_Type_free(row)
    call MPI_Type_free(coordinate)
    ! Three integers in a row, whose elements lie apart.
    call MPI_Type_contiguous(3, MPI_INTEGER, row)
    call MPI_Type_dup(row, pair)
    call MPI_Type_commit(pair)
    a = reshape([(i, i = 1, 24)], [4, 6])
    b = 0
    call MPI_Sendrecv(a(2, :), 2, pair, next, 3, b, 6, MPI_INTEGER, previous, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call expect_true(all(b(1:6) == a(2, :)), 'a row of a matrix, three at a time')
    call MPI_Type_free(row)
    call MPI_Type_free(pair)
  end subroutine

  ! What cannot be described is an error that says so.
  subroutine misfits()
    integer :: a(20), code, class, length
    type(MPI_Datatype) :: gap
    character(len=MPI_MAX_ERROR_STRING) :: text
    type(MPI_Comm) :: comm
    a = 0
    call MPI_Comm_dup(MPI_COMM_SELF, comm)
    call MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN)
    call MPI_Type_vector(2, 1, 2, MPI_INTEGER, gap)
    call MPI_Type_commit(gap)
    call MPI_Send(a(1:20:2), 2, gap, 0, 0, comm, code)
    call MPI_Error_class(code, class)
    call expect_equal(class, MPI_ERR_TYPE, 'a datatype that straddles gaps')
    call MPI_Error_string(code, text, length)
    call expect_true(index(text, 'not contiguous') > 0, 'and a sentence that says so')
    call MPI_Type_free(gap)
    call MPI_Send(a(1:20:2), 11, MPI_INTEGER, 0, 0, comm, code)
    call MPI_Error_class(code, class)
    call expect_equal(class, MPI_ERR_COUNT, 'more than the section has')
    call MPI_Comm_free(comm)
  end subroutine

  subroutine collectives()
    integer :: a(20), b(4), c(4 * size), i
    a = 0
    a(1:20:2) = rank
    if (rank == 0) a(2:20:2) = 5
    call MPI_Bcast(a(2:20:2), 10, MPI_INTEGER, 0, MPI_COMM_WORLD)
    call expect_true(all(a(2:20:2) == 5) .and. all(a(1:20:2) == rank), 'MPI_Bcast of a section')
    call MPI_Allreduce(MPI_IN_PLACE, a(1:20:2), 10, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    call expect_true(all(a(1:20:2) == size * (size - 1) / 2) .and. all(a(2:20:2) == 5), 'MPI_Allreduce of a section')
    c = -1
    call MPI_Allgather([rank, rank + 100], 2, MPI_INTEGER, c(1::2), 2, MPI_INTEGER, MPI_COMM_WORLD)
    call expect_true(all(c(1::4) == [(i, i = 0, size - 1)]), 'MPI_Allgather into a section')
    call expect_true(all(c(3::4) == [(i + 100, i = 0, size - 1)]) .and. all(c(2::2) == -1), 'MPI_Allgather into a section')
    b = 0
    call MPI_Scatter(c(1::2), 2, MPI_INTEGER, b(1:4:2), 2, MPI_INTEGER, 0, MPI_COMM_WORLD)
    call expect_true(b(1) == rank .and. b(2) == 0 .and. b(3) == rank + 100, 'MPI_Scatter between sections')
  end subroutine

  subroutine nonblocking_collectives()
    integer, asynchronous :: a(10), b(30)
    type(MPI_Request) :: requests(2)
    integer :: index
    a = rank
    b = -1
    call MPI_Iallreduce(a(1:10:2), b(2:30:6), 5, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, requests(1))
    call MPI_Iallreduce(a(2:10:2), b(1:30:6), 5, MPI_INTEGER, MPI_MIN, MPI_COMM_WORLD, requests(2))
    call MPI_Waitany(2, requests, index, MPI_STATUS_IGNORE)
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
    call expect_true(all(b(2:30:6) == size - 1) .and. all(b(1:30:6) == 0), 'MPI_Iallreduce of sections')
    call expect_equal(count_of(b, -1), 20, 'the rest is left alone')
  end subroutine

  subroutine persistent()
    integer, asynchronous :: a(10), b(10)
    type(MPI_Request) :: requests(2)
    integer :: round
    call MPI_Send_init(a(1:10:3), 4, MPI_INTEGER, next, 4, MPI_COMM_WORLD, requests(1))
    call MPI_Recv_init(b(10:1:-3), 4, MPI_INTEGER, previous, 4, MPI_COMM_WORLD, requests(2))
    do round = 1, 3
      a = 10 * rank + round
      b = 0
      call MPI_Startall(2, requests)
      call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
      call expect_true(all(b(10:1:-3) == 10 * previous + round) .and. count_of(b, 0) == 6, 'a persistent section')
    end do
    call MPI_Request_free(requests(1))
    call MPI_Request_free(requests(2))
  end subroutine

  ! What no datatype describes is copied anew whenever it begins, and copied back by whatever call finds it over.
  subroutine persistent_collectives()
    integer, asynchronous :: a(10), sums(12), blocks(6 * size)
    type(MPI_Request) :: requests(3)
    integer :: round, i, index, finished, which(3)
    logical :: flag
    call MPI_Allreduce_init(a(1:10:2), sums(2:12:2), 5, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, requests(1))
    call MPI_Allreduce_init(MPI_IN_PLACE, sums(1:12:2), 6, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, MPI_INFO_NULL, requests(2))
    call MPI_Allgather_init(a(2:10:4), 3, MPI_INTEGER, blocks(6 * size:1:-2), 3, MPI_INTEGER, MPI_COMM_WORLD, &
                            MPI_INFO_NULL, requests(3))
    do round = 1, 5
      a = 100 * round + rank
      a(6) = round
      sums = -1
      sums(1:12:2) = [(rank * i, i = 1, 6)]
      blocks = -1
      call MPI_Startall(2, requests)
      call MPI_Start(requests(3))
      select case (round)
      case (1)
        call MPI_Waitall(3, requests, MPI_STATUSES_IGNORE)
      case (2)
        do i = 1, 3
          call MPI_Wait(requests(i), MPI_STATUS_IGNORE)
        end do
      case (3)
        do i = 1, 3
          call MPI_Waitany(3, requests, index, MPI_STATUS_IGNORE)
        end do
      case (4)
        finished = 0
        do while (finished < 3)
          call MPI_Testsome(3, requests, i, which, MPI_STATUSES_IGNORE)
          finished = finished + i
        end do
      case (5)
        flag = .false.
        do while (.not. flag)
          call MPI_Testall(3, requests, flag, MPI_STATUSES_IGNORE)
        end do
      end select
      i = size * 100 * round + size * (size - 1) / 2
      call expect_true(all(sums(2:12:2) == [i, i, i, i, i, -1]), 'a persistent reduction of a section')
      call expect_true(all(sums(1:12:2) == [((size - 1) * i, i = 1, 6)]), 'a persistent reduction in place')
      call expect_true(all(blocks(1::2) == -1), 'what is between the elements is left alone')
      do i = 1, size
        index = 6 * (size - i + 1)
        call expect_true(all(blocks(index:index - 4:-2) == [100 * round + i - 1, round, 100 * round + i - 1]), &
                         'a persistent MPI_Allgather backwards')
      end do
      sums = 7
    end do
    ! What is no longer under way is not copied back.
    do i = 1, 3
      call MPI_Request_free(requests(i))
    end do
    call expect_true(all(sums == 7), 'a request that is freed gives nothing back')
  end subroutine

  ! Each partition is an element of a datatype that leads to the next one.
  subroutine partitions()
    integer, asynchronous :: a(24), b(24), plane(6, 4), other(5, 12)
    type(MPI_Request) :: requests(2)
    type(MPI_Comm) :: comm
    integer :: round, i, code, class, length
    character(len=MPI_MAX_ERROR_STRING) :: text
    ! Four times three elements, forwards to backwards.
    call MPI_Psend_init(a(1:24:2), 4, 3_MPI_COUNT_KIND, MPI_INTEGER, next, 1, MPI_COMM_WORLD, MPI_INFO_NULL, requests(1))
    call MPI_Precv_init(b(24:1:-2), 4, 3_MPI_COUNT_KIND, MPI_INTEGER, previous, 1, MPI_COMM_WORLD, MPI_INFO_NULL, requests(2))
    do round = 1, 3
      b = -1
      call MPI_Startall(2, requests)
      a = [(1000 * rank + i, i = 1, 24)] + 100 * round
      call ready_from_the_last(requests, 4)
      call expect_true(all(b(24:1:-2) == [(1000 * previous + i, i = 1, 24, 2)] + 100 * round), 'partitions of a section')
      call expect_true(all(b(1:24:2) == -1), 'what is between them is left alone')
    end do
    call MPI_Request_free(requests(1))
    call MPI_Request_free(requests(2))
    ! Three rows of two columns, to two rows of three.
    call MPI_Psend_init(plane(2:4, 1:4:2), 2, 3_MPI_COUNT_KIND, MPI_INTEGER, next, 2, MPI_COMM_WORLD, MPI_INFO_NULL, requests(1))
    call MPI_Precv_init(other(1:4:3, 2:12:4), 3, 2_MPI_COUNT_KIND, MPI_INTEGER, previous, 2, MPI_COMM_WORLD, MPI_INFO_NULL, &
                        requests(2))
    other = -1
    plane = reshape([(1000 * rank + i, i = 1, 24)], [6, 4])
    call MPI_Startall(2, requests)
    call ready_from_the_last(requests, 2)
    call MPI_Request_free(requests(1))
    call MPI_Request_free(requests(2))
    call expect_true(all(reshape(other(1:4:3, 2:12:4), [6]) == [2, 3, 4, 14, 15, 16] + 1000 * previous), 'partitions of planes')
    call expect_equal(count(other == -1), 54, 'the rest of the plane is left alone')
    ! Two columns of three elements are not three equal parts.
    call MPI_Comm_dup(MPI_COMM_SELF, comm)
    call MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN)
    call MPI_Psend_init(plane(1:6:2, 1:4:2), 3, 2_MPI_COUNT_KIND, MPI_INTEGER, 0, 0, comm, MPI_INFO_NULL, requests(1), code)
    call MPI_Error_class(code, class)
    call expect_equal(class, MPI_ERR_BUFFER, 'partitions at different distances')
    call MPI_Error_string(code, text, length)
    call expect_true(index(text, 'do not lie at equal distances') > 0, 'and a sentence that says so')
    call MPI_Psend_init(plane(1:6:2, 1:4:2), 4, 2_MPI_COUNT_KIND, MPI_INTEGER, 0, 0, comm, MPI_INFO_NULL, requests(1), code)
    call MPI_Error_class(code, class)
    call expect_equal(class, MPI_ERR_COUNT, 'more partitions than the section has')
    call MPI_Comm_free(comm)
  end subroutine

  subroutine ready_from_the_last(requests, parts)
    type(MPI_Request), intent(inout) :: requests(2)
    integer, intent(in) :: parts
    integer :: part
    do part = parts - 1, 0, -1
      call MPI_Pready(part, requests(1))
    end do
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
  end subroutine

  subroutine one_sided()
    integer, asynchronous :: memory(10), mine(10)
    type(MPI_Win) :: win
    integer :: i
    memory = -1
    mine = [(100 * rank + i, i = 1, 10)]
    call MPI_Win_create(memory, 40_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win)
    call MPI_Win_fence(0, win)
    call MPI_Put(mine(1:10:2), 5, MPI_INTEGER, next, 2_MPI_ADDRESS_KIND, 5, MPI_INTEGER, win)
    call MPI_Win_fence(0, win)
    call expect_true(all(memory(3:7) == [(100 * previous + i, i = 1, 10, 2)]), 'MPI_Put of a section')
    call MPI_Get(mine(9:1:-2), 5, MPI_INTEGER, next, 2_MPI_ADDRESS_KIND, 5, MPI_INTEGER, win)
    call MPI_Win_fence(0, win)
    call expect_true(all(mine(1:10:2) == [(100 * rank + i, i = 9, 1, -2)]), 'MPI_Get into a section')
    call MPI_Win_free(win)
  end subroutine

  subroutine packed()
    integer :: a(10), b(10), position, bytes
    integer(MPI_ADDRESS_KIND) :: external_size, external_position
    character :: buffer(200)
    integer :: i
    a = [(i, i = 1, 10)]
    b = 0
    position = 0
    call MPI_Pack(a(2:10:2), 5, MPI_INTEGER, buffer, 200, position, MPI_COMM_SELF)
    bytes = position
    position = 0
    call MPI_Unpack(buffer, bytes, position, b(1:10:2), 5, MPI_INTEGER, MPI_COMM_SELF)
    call expect_true(all(b(1:10:2) == a(2:10:2)) .and. position == bytes, 'MPI_Pack and MPI_Unpack')
    call MPI_Pack_external_size('external32', 5, MPI_INTEGER, external_size)
    call expect_true(external_size == 20, 'MPI_Pack_external_size')
    external_position = 0
    call MPI_Pack_external('external32  ', a(1:10:2), 5, MPI_INTEGER, buffer, external_size, external_position)
    external_position = 0
    call MPI_Unpack_external('external32', buffer, external_size, external_position, b(2:10:2), 5, MPI_INTEGER)
    call expect_true(all(b(2:10:2) == a(1:10:2)), 'MPI_Pack_external')
  end subroutine

  ! The same names, with counts of another kind.
  subroutine large_counts()
    integer(MPI_COUNT_KIND) :: count, lower, extent, sizes(size), places(size), n
    type(MPI_Datatype) :: huge, left
    type(MPI_Request) :: request
    type(MPI_Status) :: one
    integer :: got(10), all_of(size), i, small
    n = 10
    call MPI_Irecv(got, n, MPI_INTEGER, previous, 6, MPI_COMM_WORLD, request)
    call MPI_Send([(rank + i, i = 1, 10)], n, MPI_INTEGER, next, 6, MPI_COMM_WORLD)
    call MPI_Wait(request, one)
    call MPI_Get_count(one, MPI_INTEGER, count)
    call expect_true(count == 10 .and. got(10) == previous + 10, 'a large count')
    n = 3 * 2_MPI_COUNT_KIND**31
    call MPI_Type_contiguous(n, MPI_INTEGER, huge)
    call MPI_Type_size(huge, count)
    call expect_true(count == 4 * n, 'the size of a huge datatype')
    call MPI_Type_size(huge, small)
    call expect_equal(small, MPI_UNDEFINED, 'a size that does not fit')
    call MPI_Type_get_extent(huge, lower, extent)
    call expect_true(lower == 0 .and. extent == 4 * n, 'the extent of a huge datatype')
    call MPI_Type_create_hvector(2_MPI_COUNT_KIND, 1_MPI_COUNT_KIND, 8 * n, huge, left)
    call MPI_Type_free(huge)
    call MPI_Type_free(left)
    sizes = 1
    places = [(size - i, i = 1, size)]
    call MPI_Allgatherv(rank, 1_MPI_COUNT_KIND, MPI_INTEGER, all_of, sizes, [(int(size - i, MPI_ADDRESS_KIND), i = 1, size)], &
                        MPI_INTEGER, MPI_COMM_WORLD)
    call expect_true(all(all_of == [(size - i, i = 1, size)]), 'MPI_Allgatherv with large counts')
  end subroutine

  subroutine sizes()
    integer :: bytes
    complex(8) :: z(3)
    type(point) :: p
    character(len=9) :: text
    call MPI_Sizeof(1, bytes)
    call expect_equal(bytes, 4, 'MPI_Sizeof an integer')
    call MPI_Sizeof(z, bytes)
    call expect_equal(bytes, 16, 'MPI_Sizeof an element')
    call MPI_Sizeof(text, bytes)
    call expect_equal(bytes, 9, 'MPI_Sizeof a string')
    call MPI_Sizeof(p, bytes)
    call expect_equal(bytes, 16, 'MPI_Sizeof a type')
    call MPI_F_sync_reg(z)
  end subroutine

  subroutine handles()
    type(MPI_Comm) :: comms(2)
    comms = [MPI_COMM_WORLD, MPI_COMM_SELF]
    call expect_true(comms(1) == MPI_COMM_WORLD .and. comms(1) /= comms(2), 'handles compare')
    call expect_true(all((comms == MPI_COMM_SELF) .eqv. [.false., .true.]), 'arrays of handles compare')
    call expect_equal(comms(1)%MPI_VAL, 257, 'a handle''s integer is that of the standard ABI')
    call PMPI_Comm_rank(comms(2), rank=comms(1)%MPI_VAL)
    call expect_equal(comms(1)%MPI_VAL, 0, 'PMPI_ names')
  end subroutine
end program
