      program summed
      include 'mpif.h'
      integer rank, total, ierror
      call MPI_Init(ierror)
      call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
      call MPI_Allreduce(rank, total, 1, MPI_INTEGER, MPI_SUM,
     &                   MPI_COMM_WORLD, ierror)
      if (rank .eq. 0) print '(i0, a)', total, ' by mpif.h'
      call MPI_Finalize(ierror)
      end
