C     mpif.h in the fixed form, with names in capitals and arguments
C     whose types differ from call to call.
      PROGRAM FIXED
      IMPLICIT NONE
      INCLUDE 'mpif.h'
      INTEGER IERROR, RANK, NUMBERS(2), SUMS(2), STATUS(MPI_STATUS_SIZE)
      DOUBLE PRECISION D
      CALL MPI_INIT(IERROR)
      CALL MPI_COMM_RANK(MPI_COMM_WORLD, RANK, IERROR)
      NUMBERS(1) = 1
      NUMBERS(2) = RANK
      CALL MPI_ALLREDUCE(NUMBERS, SUMS, 2, MPI_INTEGER, MPI_SUM,
     &                   MPI_COMM_SELF, IERROR)
      D = 2.5D0
      CALL MPI_BCAST(D, 1, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD,
     &               IERROR)
      CALL MPI_BCAST(SUMS, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, IERROR)
      CALL MPI_SENDRECV(RANK, 1, MPI_INTEGER, MPI_PROC_NULL, 0,
     &                  NUMBERS, 2, MPI_INTEGER, MPI_PROC_NULL, 0,
     &                  MPI_COMM_WORLD, STATUS, IERROR)
      IF (SUMS(1) .NE. 1 .OR. STATUS(MPI_SOURCE) .NE. MPI_PROC_NULL
     &    .OR. MPI_WTIME() .LT. 0) STOP 1
      CALL MPI_FINALIZE(IERROR)
      END
