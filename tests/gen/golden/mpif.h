! Generated from spec/ by gen/generate.py; change those.
      interface antiphon_integers
        subroutine MPI_needs_INTEGER_of_4_bytes(i)
          integer i
        end subroutine
        subroutine compile_without_fdefault_integer_8_or_i8(i)
          integer(selected_int_kind(18)) i
        end subroutine
      end interface
      integer MPI_ADDRESS_KIND
      parameter (MPI_ADDRESS_KIND=8)
      integer MPI_COUNT_KIND
      parameter (MPI_COUNT_KIND=8)
      integer MPI_OFFSET_KIND
      parameter (MPI_OFFSET_KIND=8)
      integer MPI_INTEGER_KIND
      parameter (MPI_INTEGER_KIND=4)
      integer MPI_STATUS_SIZE
      parameter (MPI_STATUS_SIZE=8)
      integer MPI_SOURCE
      parameter (MPI_SOURCE=1)
      integer MPI_TAG
      parameter (MPI_TAG=2)
      integer MPI_ERROR
      parameter (MPI_ERROR=3)
      integer MPI_VERSION
      parameter (MPI_VERSION=5)
      integer MPI_ANY_SOURCE
      parameter (MPI_ANY_SOURCE=-1)
      integer MPI_HOST
      parameter (MPI_HOST=503)
      integer MPI_SUCCESS
      parameter (MPI_SUCCESS=0)
      integer MPI_ERR_RANK
      parameter (MPI_ERR_RANK=6)
      integer MPI_ERR_LASTCODE
      parameter (MPI_ERR_LASTCODE=16383)
      integer MPI_COMM_NULL
      parameter (MPI_COMM_NULL=256)
      integer MPI_COMM_WORLD
      parameter (MPI_COMM_WORLD=257)
      integer MPI_LONG_LONG
      parameter (MPI_LONG_LONG=523)
      integer MPI_LONG_LONG_INT
      parameter (MPI_LONG_LONG_INT=MPI_LONG_LONG)
      integer MPI_2INT
      parameter (MPI_2INT=555)
      integer(MPI_OFFSET_KIND) MPI_DISPLACEMENT_CURRENT
      parameter (MPI_DISPLACEMENT_CURRENT=-1)
      logical MPI_SUBARRAYS_SUPPORTED
      parameter (MPI_SUBARRAYS_SUPPORTED=.false.)
      logical MPI_ASYNC_PROTECTS_NONBLOCKING
      parameter (MPI_ASYNC_PROTECTS_NONBLOCKING=.false.)
      integer MPI_BOTTOM
      common /antiphon_mpi_bottom/ MPI_BOTTOM
      integer MPI_IN_PLACE
      common /antiphon_mpi_in_place/ MPI_IN_PLACE
      integer MPI_BUFFER_AUTOMATIC
      common /antiphon_mpi_buffer_automatic/ MPI_BUFFER_AUTOMATIC
      integer MPI_ERRCODES_IGNORE(1)
      common /antiphon_mpi_errcodes_ignore/ MPI_ERRCODES_IGNORE
      integer MPI_UNWEIGHTED(1)
      common /antiphon_mpi_unweighted/ MPI_UNWEIGHTED
      integer MPI_WEIGHTS_EMPTY(1)
      common /antiphon_mpi_weights_empty/ MPI_WEIGHTS_EMPTY
      character*1 MPI_ARGV_NULL(1)
      common /antiphon_mpi_argv_null/ MPI_ARGV_NULL
      character*1 MPI_ARGVS_NULL(1, 1)
      common /antiphon_mpi_argvs_null/ MPI_ARGVS_NULL
      integer MPI_STATUS_IGNORE(MPI_STATUS_SIZE)
      common /antiphon_mpi_status_ignore/ MPI_STATUS_IGNORE
      integer MPI_STATUSES_IGNORE(MPI_STATUS_SIZE, 1)
      common /antiphon_mpi_statuses_ignore/ MPI_STATUSES_IGNORE
      external MPI_NULL_COPY_FN
      external MPI_DUP_FN
      external MPI_NULL_DELETE_FN
      external MPI_COMM_NULL_COPY_FN
      external MPI_COMM_DUP_FN
      external MPI_COMM_NULL_DELETE_FN
      external MPI_TYPE_NULL_COPY_FN
      external MPI_TYPE_DUP_FN
      external MPI_TYPE_NULL_DELETE_FN
      external MPI_WIN_NULL_COPY_FN
      external MPI_WIN_DUP_FN
      external MPI_WIN_NULL_DELETE_FN
      real(selected_real_kind(15, 307)) MPI_Wtime
      external MPI_Wtime
      real(selected_real_kind(15, 307)) PMPI_Wtime
      external PMPI_Wtime
