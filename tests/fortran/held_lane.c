/* A thread that is in MPI and stays there. It packs from a page that cannot be read, so it stands in the handler of
   SIGSEGV, in the middle of MPI_Pack, with whatever locks that takes, until it is let go. */
#define _GNU_SOURCE
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

enum { kPatience = 60 }; /* seconds */

static char* page;
static size_t page_bytes = 4096;
static pthread_t holder;
static sem_t is_held, may_go;
static volatile sig_atomic_t was_let_go;

static void stand_still(int signal) {
  struct timespec end;
  (void)signal;
  sem_post(&is_held);
  clock_gettime(CLOCK_REALTIME, &end);
  end.tv_sec += kPatience;
  was_let_go = sem_timedwait(&may_go, &end) == 0;
  mprotect(page, page_bytes, PROT_READ | PROT_WRITE);
}

static void* pack(void* nothing) {
  char packed[4];
  int position = 0;
  MPI_Pack(page, 1, MPI_INT, packed, sizeof packed, &position, MPI_COMM_WORLD);
  return nothing;
}

void hold_the_lane(void) {
  struct sigaction action = {.sa_handler = stand_still};
  page = mmap(NULL, page_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  sem_init(&is_held, 0, 0);
  sem_init(&may_go, 0, 0);
  sigaction(SIGSEGV, &action, NULL);
  pthread_create(&holder, NULL, pack, NULL);
  while (sem_wait(&is_held) != 0) continue;
}

/* 1 if nobody was kept waiting until the holder lost its patience. */
int let_the_lane_go(void) {
  sem_post(&may_go);
  pthread_join(holder, NULL);
  signal(SIGSEGV, SIG_DFL);
  munmap(page, page_bytes);
  return was_let_go;
}

/* Handles become integers and handles again, of every kind that a program can make. */
int handles_come_back(void) {
  static MPI_Datatype type;
  static MPI_Op op;
  static MPI_Group group;
  static MPI_Info info;
  static MPI_Errhandler errhandler;
  static int are_made;
  if (!are_made) {
    are_made = 1;
    MPI_Type_contiguous(3, MPI_INT, &type);
    MPI_Op_create((MPI_User_function*)abort, 1, &op);
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Info_create(&info);
    MPI_Comm_create_errhandler((MPI_Comm_errhandler_function*)abort, &errhandler);
    return 1;
  }
  return MPI_Type_f2c(MPI_Type_c2f(type)) == type && MPI_Op_f2c(MPI_Op_c2f(op)) == op &&
         MPI_Group_f2c(MPI_Group_c2f(group)) == group && MPI_Info_f2c(MPI_Info_c2f(info)) == info &&
         MPI_Errhandler_f2c(MPI_Errhandler_c2f(errhandler)) == errhandler &&
         MPI_Comm_f2c(MPI_Comm_c2f(MPI_COMM_WORLD)) == MPI_COMM_WORLD &&
         MPI_Type_f2c(MPI_Type_c2f(MPI_INT)) == MPI_INT;
}
