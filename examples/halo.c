// Heat spreads along a rod, which is divided into as many parts as there are ranks. Each rank holds copies of its
// neighbours' border cells. In each step a rank puts its own border cells into its neighbours' copies. For that it
// allows its neighbours to put (post), and starts to put once they have allowed it; no other rank takes part. Rank 0
// also computes the whole rod alone and compares. It prints the temperature of each rank's warmest cell, before and
// afterwards.
//
//   mpicc halo.c -o halo && mpiexec -n 4 ./halo [steps]
//
// Shows puts, and synchronization of neighbours only.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { cells_each = 200 };

// At both ends there is one more cell: a copy of the neighbour's border cell or, at the end of the rod, always cold.
static void step(const double* old, double* next, int cells) {
  for (int i = 1; i <= cells; ++i) next[i] = old[i] + 0.25 * (old[i - 1] - 2 * old[i] + old[i + 1]);
}

static double warmest(const double* cells) {
  double most = cells[0];
  for (int i = 1; i < cells_each; ++i) most = cells[i] > most ? cells[i] : most;
  return most;
}

static double heat_at(int cell) { return cell % 97 == 0 ? 100.0 : (double)(cell % 13); }

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int steps = argc < 2 ? 500 : atoi(argv[1]);
  if (steps < 1 || argc > 2) {
    if (rank == 0) fprintf(stderr, "usage: halo [steps]   steps: a positive number, 500 when left out\n");
    MPI_Finalize();
    return 2;
  }

  // The window holds two copies of the part, for this step and the next.
  const int length = cells_each + 2;
  double* rods;
  MPI_Win win;
  MPI_Win_allocate((MPI_Aint)(2 * sizeof(double)) * length, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &rods,
                   &win);
  memset(rods, 0, 2 * sizeof(double) * (size_t)length);
  for (int i = 1; i <= cells_each; ++i) rods[i] = heat_at(rank * cells_each + i);

  int neighbours[2], count = 0;
  if (rank > 0) neighbours[count++] = rank - 1;
  if (rank < size - 1) neighbours[count++] = rank + 1;
  MPI_Group everybody, beside;
  MPI_Comm_group(MPI_COMM_WORLD, &everybody);
  MPI_Group_incl(everybody, count, neighbours, &beside);

  double start = MPI_Wtime();
  for (int i = 0; i < steps; ++i) {
    const int now = i % 2;
    double *old = rods + now * length, *next = rods + (1 - now) * length;
    const MPI_Aint there = (MPI_Aint)now * length;
    MPI_Win_post(beside, 0, win);
    MPI_Win_start(beside, 0, win);
    if (rank > 0) MPI_Put(old + 1, 1, MPI_DOUBLE, rank - 1, there + length - 1, 1, MPI_DOUBLE, win);
    if (rank < size - 1) MPI_Put(old + cells_each, 1, MPI_DOUBLE, rank + 1, there, 1, MPI_DOUBLE, win);
    MPI_Win_complete(win);
    MPI_Win_wait(win);
    step(old, next, cells_each);
  }
  double seconds = MPI_Wtime() - start;

  double* whole = rank == 0 ? malloc(sizeof(double) * (size_t)(size * cells_each)) : NULL;
  MPI_Gather(rods + steps % 2 * length + 1, cells_each, MPI_DOUBLE, whole, cells_each, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  int status = 0;
  if (rank == 0) {
    const int cells = size * cells_each;
    double* rod = calloc(2 * (size_t)(cells + 2), sizeof *rod);
    for (int i = 1; i <= cells; ++i) rod[i] = heat_at(i);
    printf("part of rank   warmest cell before   and afterwards\n");
    for (int i = 0; i < size; ++i)
      printf("%12d %21.2f %16.2f\n", i, warmest(rod + 1 + i * cells_each), warmest(whole + i * cells_each));
    for (int i = 0; i < steps; ++i) step(rod + i % 2 * (cells + 2), rod + (1 - i % 2) * (cells + 2), cells);
    int wrong = 0;
    for (int i = 0; i < cells; ++i) wrong += rod[steps % 2 * (cells + 2) + 1 + i] != whole[i];
    status = wrong == 0 ? 0 : 1;
    printf("%d steps of %d cells on %d ranks: %d cells differ from one rank's: %s\n", steps, cells, size, wrong,
           wrong == 0 ? "right" : "WRONG");
    printf("%.2f microseconds a step\n", seconds * 1e6 / steps);
    free(rod);
    free(whole);
  }
  MPI_Group_free(&beside);
  MPI_Group_free(&everybody);
  MPI_Win_free(&win);
  MPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return status;
}
