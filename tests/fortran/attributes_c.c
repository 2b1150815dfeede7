/* The C side of attributes.F90: sets, reads and compares what Fortran has set, and has keys of its own. */
#include <mpi.h>

static int value_in_c = 4711;
static int copies, deletes;

static int copy(MPI_Comm comm, int keyval, void* extra_state, void* in, void* out, int* flag) {
  (void)comm, (void)keyval, (void)extra_state;
  ++copies;
  *(void**)out = in;
  *flag = 1;
  return MPI_SUCCESS;
}

static int drop(MPI_Comm comm, int keyval, void* attribute, void* extra_state) {
  (void)comm, (void)keyval, (void)attribute, (void)extra_state;
  ++deletes;
  return MPI_SUCCESS;
}

void c_create_key_(int* keyval) { MPI_Comm_create_keyval(copy, drop, keyval, 0); }
void c_counts_(int* copied, int* deleted) { *copied = copies, *deleted = deletes; }

/* Sets an address, as C does, and says which. */
void c_set_comm_(int* comm, int* keyval, MPI_Aint* address) {
  *address = (MPI_Aint)&value_in_c;
  MPI_Comm_set_attr(MPI_Comm_f2c(*comm), *keyval, &value_in_c);
}
void c_set_type_(int* type, int* keyval, MPI_Aint* address) {
  *address = (MPI_Aint)&value_in_c;
  MPI_Type_set_attr(MPI_Type_f2c(*type), *keyval, &value_in_c);
}
void c_set_win_(int* win, int* keyval, MPI_Aint* address) {
  *address = (MPI_Aint)&value_in_c;
  MPI_Win_set_attr(MPI_Win_f2c(*win), *keyval, &value_in_c);
}

/* What C finds where Fortran has set a plain INTEGER: an int. */
int c_get_int_(int* comm, int* keyval) {
  void* found;
  int flag;
  MPI_Comm_get_attr(MPI_Comm_f2c(*comm), *keyval, &found, &flag);
  return flag ? *(int*)found : -1;
}

/* What C finds where Fortran has set an integer of the size of addresses: an MPI_Aint. */
MPI_Aint c_get_comm_(int* comm, int* keyval) {
  void* found;
  int flag;
  MPI_Comm_get_attr(MPI_Comm_f2c(*comm), *keyval, &found, &flag);
  return flag ? *(MPI_Aint*)found : -1;
}
MPI_Aint c_get_type_(int* type, int* keyval) {
  void* found;
  int flag;
  MPI_Type_get_attr(MPI_Type_f2c(*type), *keyval, &found, &flag);
  return flag ? *(MPI_Aint*)found : -1;
}
MPI_Aint c_get_win_(int* win, int* keyval) {
  void* found;
  int flag;
  MPI_Win_get_attr(MPI_Win_f2c(*win), *keyval, &found, &flag);
  return flag ? *(MPI_Aint*)found : -1;
}

/* Whether C reads of a window what Fortran said of it. */
int c_window_is_(int* win, MPI_Aint* base, MPI_Aint* size, int* unit) {
  void* found_base;
  MPI_Aint* found_size;
  int *found_unit, flag;
  MPI_Win_get_attr(MPI_Win_f2c(*win), MPI_WIN_BASE, &found_base, &flag);
  MPI_Win_get_attr(MPI_Win_f2c(*win), MPI_WIN_SIZE, &found_size, &flag);
  MPI_Win_get_attr(MPI_Win_f2c(*win), MPI_WIN_DISP_UNIT, &found_unit, &flag);
  return (MPI_Aint)found_base == *base && *found_size == *size && *found_unit == *unit;
}
