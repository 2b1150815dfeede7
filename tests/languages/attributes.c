/* Keyvals with functions of the program's and with ready-made ones; attributes of communicators, datatypes and
   windows; those that MPI has set. */
#include <mpi.h>
#include <stdint.h>

#include "say.h"

static int rank, deleted;

static int add_state(MPI_Comm comm, int keyval, void* state, void* in, void* out, int* flag) {
  (void)comm, (void)keyval;
  *(void**)out = (void*)((intptr_t)in + (intptr_t)state);
  *flag = 1;
  return MPI_SUCCESS;
}

static int count(MPI_Comm comm, int keyval, void* value, void* state) {
  (void)comm, (void)keyval, (void)value, (void)state;
  ++deleted;
  return MPI_SUCCESS;
}

static void of_communicators(void) {
  MPI_Comm one, two;
  int copied, left, flag;
  void* value;
  MPI_Comm_create_keyval(add_state, count, &copied, (void*)10);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &left, 0);
  MPI_Comm_dup(MPI_COMM_WORLD, &one);
  MPI_Comm_get_attr(one, copied, &value, &flag);
  say(rank, "set at first", flag);
  MPI_Comm_set_attr(one, copied, (void*)5);
  MPI_Comm_set_attr(one, left, (void*)6);
  MPI_Comm_dup(one, &two);
  MPI_Comm_get_attr(two, copied, &value, &flag);
  say(rank, "copied", flag ? (intptr_t)value : -1);
  MPI_Comm_get_attr(two, left, &value, &flag);
  say(rank, "copied without a function", flag);
  MPI_Comm_set_attr(two, copied, (void*)7);
  say(rank, "deleted by a new value", deleted);
  MPI_Comm_delete_attr(one, copied);
  MPI_Comm_free(&one);
  MPI_Comm_free(&two);
  say(rank, "deleted", deleted);
  MPI_Comm_free_keyval(&copied);
  MPI_Comm_free_keyval(&left);
  say(rank, "keyval is gone", copied == MPI_KEYVAL_INVALID);
}

static void of_datatypes(void) {
  MPI_Datatype pair, copy;
  int keyval, flag;
  void* value;
  MPI_Type_create_keyval(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, &keyval, 0);
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_set_attr(pair, keyval, (void*)321);
  MPI_Type_dup(pair, &copy);
  MPI_Type_get_attr(copy, keyval, &value, &flag);
  say(rank, "datatype's", flag ? (intptr_t)value : -1);
  MPI_Type_delete_attr(copy, keyval);
  MPI_Type_get_attr(copy, keyval, &value, &flag);
  say(rank, "datatype's after deletion", flag);
  MPI_Type_free(&copy);
  MPI_Type_free(&pair);
  MPI_Type_free_keyval(&keyval);
}

static void of_windows(void) {
  MPI_Win win;
  int memory[3], keyval, flag, *unit;
  MPI_Aint* bytes;
  void *value, *base;
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, &keyval, 0);
  MPI_Win_set_attr(win, keyval, (void*)55);
  MPI_Win_get_attr(win, keyval, &value, &flag);
  say(rank, "window's", flag ? (intptr_t)value : -1);
  MPI_Win_get_attr(win, MPI_WIN_BASE, &base, &flag);
  say(rank, "MPI_WIN_BASE", base == memory);
  MPI_Win_get_attr(win, MPI_WIN_SIZE, &bytes, &flag);
  say(rank, "MPI_WIN_SIZE", *bytes);
  MPI_Win_get_attr(win, MPI_WIN_DISP_UNIT, &unit, &flag);
  say(rank, "MPI_WIN_DISP_UNIT", *unit);
  MPI_Win_free(&win);
  MPI_Win_free_keyval(&keyval);
}

static void predefined(void) {
  int flag, *value;
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &flag);
  say(rank, "MPI_TAG_UB", flag ? *value : -1);
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_IO, &value, &flag);
  say(rank, "MPI_IO", flag ? *value : -1);
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, &value, &flag);
  say(rank, "MPI_WTIME_IS_GLOBAL", flag ? *value : -1);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  of_communicators();
  of_datatypes();
  of_windows();
  predefined();
  MPI_Finalize();
  return 0;
}
