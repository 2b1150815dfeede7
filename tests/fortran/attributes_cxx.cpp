// What attributes_c.c is, in the C++ of MPI-2.2: the other language, to attributes.F90.
#include <mpicxx.h>

static int value_in_cxx = 4711;
static int copies, deletes;

static int copy(const MPI::Comm&, int, void*, void* in, void* out, bool& flag) {
  ++copies;
  *static_cast<void**>(out) = in;
  flag = true;
  return MPI::SUCCESS;
}

static int drop(MPI::Comm&, int, void*, void*) {
  ++deletes;
  return MPI::SUCCESS;
}

static MPI::Intracomm comm_of(const int* comm) { return MPI_Comm_f2c(*comm); }
static MPI::Datatype type_of(const int* type) { return MPI_Type_f2c(*type); }
static MPI::Win win_of(const int* win) { return MPI_Win_f2c(*win); }

// Sets an address, as C++ does, and says which.
template <class Object>
static void set(const Object& object, const int* keyval, MPI::Aint* address) {
  *address = MPI::Get_address(&value_in_cxx);
  object.Set_attr(*keyval, &value_in_cxx);
}

// What C++ finds where Fortran has set an integer: an int, or one of the size of addresses.
template <class Number, class Object>
static Number get(const Object& object, int keyval) {
  Number* found = nullptr;
  return object.Get_attr(keyval, &found) ? *found : -1;
}

extern "C" {

void c_create_key_(int* keyval) { *keyval = MPI::Comm::Create_keyval(copy, drop, nullptr); }
void c_counts_(int* copied, int* deleted) { *copied = copies, *deleted = deletes; }

void c_set_comm_(int* comm, int* keyval, MPI::Aint* address) { set(comm_of(comm), keyval, address); }
void c_set_type_(int* type, int* keyval, MPI::Aint* address) { set(type_of(type), keyval, address); }
void c_set_win_(int* win, int* keyval, MPI::Aint* address) { set(win_of(win), keyval, address); }

int c_get_int_(int* comm, int* keyval) { return get<int>(comm_of(comm), *keyval); }
MPI::Aint c_get_comm_(int* comm, int* keyval) { return get<MPI::Aint>(comm_of(comm), *keyval); }
MPI::Aint c_get_type_(int* type, int* keyval) { return get<MPI::Aint>(type_of(type), *keyval); }
MPI::Aint c_get_win_(int* win, int* keyval) { return get<MPI::Aint>(win_of(win), *keyval); }

// Whether C++ reads of a window what Fortran said of it.
int c_window_is_(int* win, MPI::Aint* base, MPI::Aint* size, int* unit) {
  const MPI::Win window = win_of(win);
  void* found = nullptr;
  return window.Get_attr(MPI::WIN_BASE, &found) && MPI::Get_address(found) == *base &&
         get<MPI::Aint>(window, MPI::WIN_SIZE) == *size && get<int>(window, MPI::WIN_DISP_UNIT) == *unit;
}

}  // extern "C"
