! Files: opening, views, reads and writes of one rank and of all, a pointer that all share, errors.
#include "flavour.h"
program files
  use expect
  USE_MPI
  implicit none
  INCLUDE_MPI
  integer :: rank, size, ierror
  character(len=64) :: name

  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierror)
  call name_the_file()
  call views()
  call shared_pointer()
  call errors()
  call MPI_Finalize(ierror)
  call verdict()

contains

  ! The same on all ranks, with blanks at its end, as names of files have in Fortran.
  subroutine name_the_file()
    integer :: clock
    call system_clock(clock)
    call MPI_Bcast(clock, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierror)
    write (name, '(a,i0)') '/tmp/antiphon-fortran-files.', clock
  end subroutine

  subroutine views()
    HANDLE(MPI_File) :: fh
    HANDLE(MPI_Datatype) :: mine
    HANDLE(MPI_Request) :: request
    STATUS :: state
    integer(MPI_ADDRESS_KIND) :: extent
    integer(MPI_OFFSET_KIND) :: offset
    integer :: numbers(3), back(3), count, amode
    logical :: atomic
    amode = MPI_MODE_CREATE + MPI_MODE_RDWR + MPI_MODE_DELETE_ON_CLOSE
    call MPI_File_open(MPI_COMM_WORLD, name, amode, MPI_INFO_NULL, fh, ierror)
    call expect_equal(ierror, MPI_SUCCESS, 'MPI_File_open')
    extent = 4 * size
    call MPI_Type_create_resized(MPI_INTEGER, 0_MPI_ADDRESS_KIND, extent, mine, ierror)
    call MPI_Type_commit(mine, ierror)
    offset = 4 * rank
    call MPI_File_set_view(fh, offset, MPI_INTEGER, mine, 'native', MPI_INFO_NULL, ierror)
    call expect_equal(ierror, MPI_SUCCESS, 'MPI_File_set_view')
    numbers = [rank, rank + 100, rank + 200]
    call MPI_File_write_all(fh, numbers, 2, MPI_INTEGER, state, ierror)
    call MPI_Get_count(state, MPI_INTEGER, count, ierror)
    call expect_equal(count, 2, 'the count of MPI_File_write_all')
    call MPI_File_write(fh, numbers(3), 1, MPI_INTEGER, MPI_STATUS_IGNORE, ierror)
    call MPI_File_get_position(fh, offset, ierror)
    call expect_equal(int(offset), 3, 'the position')
    call MPI_File_sync(fh, ierror)
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
    call MPI_File_get_size(fh, offset, ierror)
    call expect_equal(int(offset), 12 * size, 'the size')
    back = -1
    offset = 0
    call MPI_File_iread_at(fh, offset, back, 3, MPI_INTEGER, request, ierror)
    call MPI_Wait(request, state, ierror)
    call MPI_Get_count(state, MPI_INTEGER, count, ierror)
    call expect_equal(count, 3, 'the count of MPI_File_iread_at')
    call expect_true(all(back == numbers), 'what was read')
    back = -1
    offset = 1
    call MPI_File_read_at_all_begin(fh, offset, back, 2, MPI_INTEGER, ierror)
    call MPI_File_read_at_all_end(fh, back, state, ierror)
    call expect_true(back(1) == rank + 100 .and. back(2) == rank + 200, 'what was read in two halves')
    call MPI_File_set_atomicity(fh, .true., ierror)
    call MPI_File_get_atomicity(fh, atomic, ierror)
    call expect_true(atomic, 'the file is atomic')
    call MPI_Type_free(mine, ierror)
    call MPI_File_close(fh, ierror)
    call expect_true(fh == MPI_FILE_NULL, 'the handle of a closed file')
  end subroutine

  subroutine shared_pointer()
    HANDLE(MPI_File) :: fh
    integer(MPI_OFFSET_KIND) :: offset
    integer :: number, amode
    amode = MPI_MODE_CREATE + MPI_MODE_RDWR + MPI_MODE_DELETE_ON_CLOSE
    call MPI_File_open(MPI_COMM_WORLD, trim(name), amode, MPI_INFO_NULL, fh, ierror)
    offset = 0
    call MPI_File_set_view(fh, offset, MPI_INTEGER, MPI_INTEGER, 'native', MPI_INFO_NULL, ierror)
    call MPI_File_write_ordered(fh, rank, 1, MPI_INTEGER, MPI_STATUS_IGNORE, ierror)
    call MPI_File_get_position_shared(fh, offset, ierror)
    call expect_equal(int(offset), size, 'the shared position')
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
    offset = 0
    call MPI_File_seek_shared(fh, offset, MPI_SEEK_SET, ierror)
    number = -1
    call MPI_File_read_ordered(fh, number, 1, MPI_INTEGER, MPI_STATUS_IGNORE, ierror)
    call expect_equal(number, rank, 'a number in the order of ranks')
    call MPI_File_close(fh, ierror)
  end subroutine

  subroutine errors()
    HANDLE(MPI_File) :: fh
    integer :: class
    call MPI_File_open(MPI_COMM_WORLD, 'no/such/file', MPI_MODE_RDONLY, MPI_INFO_NULL, fh, ierror)
    call MPI_Error_class(ierror, class, ierror)
    call expect_equal(class, MPI_ERR_NO_SUCH_FILE, 'the class of an error of a file that is not there')
    call MPI_File_delete('no/such/file', MPI_INFO_NULL, ierror)
    call expect_true(ierror /= MPI_SUCCESS, 'deleting a file that is not there is an error')
  end subroutine
end program
