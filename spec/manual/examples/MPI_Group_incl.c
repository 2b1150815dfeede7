#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int size, rank, first_and_last[2], in_world[2], positions[2] = {0, 1};
  MPI_Group world, chosen, others;
  MPI_Comm comm;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  first_and_last[0] = 0, first_and_last[1] = size - 1;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, size > 1 ? 2 : 1, first_and_last, &chosen);
  MPI_Group_difference(world, chosen, &others);
  MPI_Group_rank(chosen, &rank);
  if (rank != MPI_UNDEFINED) { /* this process is in the group */
    MPI_Comm_create_group(MPI_COMM_WORLD, chosen, 0, &comm);
    MPI_Group_translate_ranks(chosen, size > 1 ? 2 : 1, positions, world, in_world);
    MPI_Group_size(others, &size);
    printf("rank %d of the group is rank %d of MPI_COMM_WORLD; %d processes are not in it\n", rank, in_world[rank],
           size);
    MPI_Comm_free(&comm);
  }
  MPI_Group_free(&others);
  MPI_Group_free(&chosen);
  MPI_Group_free(&world);
  MPI_Finalize();
  return 0;
}
