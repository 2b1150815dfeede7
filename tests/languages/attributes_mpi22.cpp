// Keyvals with functions of the program's and with ready-made ones; attributes of communicators, datatypes and
// windows; those that MPI has set.
#include <mpicxx.h>

#include <cstdint>

#include "say.h"

static int rank, deleted;

static void* as_value(std::intptr_t number) { return reinterpret_cast<void*>(number); }
static std::intptr_t number(bool flag, void* value) { return flag ? reinterpret_cast<std::intptr_t>(value) : -1; }

static int add_state(const MPI::Comm&, int, void* state, void* in, void* out, bool& flag) {
  *static_cast<void**>(out) = as_value(number(true, in) + number(true, state));
  flag = true;
  return MPI::SUCCESS;
}

static int count(MPI::Comm&, int, void*, void*) {
  ++deleted;
  return MPI::SUCCESS;
}

static void of_communicators() {
  int copied = MPI::Comm::Create_keyval(add_state, count, as_value(10));
  int left = MPI::Comm::Create_keyval(MPI::Comm::NULL_COPY_FN, MPI::Comm::NULL_DELETE_FN, nullptr);
  MPI::Intracomm one = MPI::COMM_WORLD.Dup();
  void* value = nullptr;
  say(rank, "set at first", one.Get_attr(copied, &value));
  one.Set_attr(copied, as_value(5));
  one.Set_attr(left, as_value(6));
  MPI::Intracomm two = one.Dup();
  const bool flag = two.Get_attr(copied, &value);
  say(rank, "copied", number(flag, value));
  say(rank, "copied without a function", two.Get_attr(left, &value));
  two.Set_attr(copied, as_value(7));
  say(rank, "deleted by a new value", deleted);
  one.Delete_attr(copied);
  one.Free();
  two.Free();
  say(rank, "deleted", deleted);
  MPI::Comm::Free_keyval(copied);
  MPI::Comm::Free_keyval(left);
  say(rank, "keyval is gone", copied == MPI::KEYVAL_INVALID);
}

static void of_datatypes() {
  int keyval = MPI::Datatype::Create_keyval(MPI::Datatype::DUP_FN, MPI::Datatype::NULL_DELETE_FN, nullptr);
  MPI::Datatype pair = MPI::INT.Create_contiguous(2);
  pair.Set_attr(keyval, as_value(321));
  MPI::Datatype copy = pair.Dup();
  void* value = nullptr;
  const bool flag = copy.Get_attr(keyval, &value);
  say(rank, "datatype's", number(flag, value));
  copy.Delete_attr(keyval);
  say(rank, "datatype's after deletion", copy.Get_attr(keyval, &value));
  copy.Free();
  pair.Free();
  MPI::Datatype::Free_keyval(keyval);
}

static void of_windows() {
  int memory[3] = {};
  MPI::Win win = MPI::Win::Create(memory, sizeof memory, sizeof(int), MPI::INFO_NULL, MPI::COMM_WORLD);
  int keyval = MPI::Win::Create_keyval(MPI::Win::NULL_COPY_FN, MPI::Win::NULL_DELETE_FN, nullptr);
  win.Set_attr(keyval, as_value(55));
  void *value = nullptr, *base = nullptr;
  MPI::Aint* bytes = nullptr;
  int* unit = nullptr;
  const bool flag = win.Get_attr(keyval, &value);
  say(rank, "window's", number(flag, value));
  win.Get_attr(MPI::WIN_BASE, &base);
  say(rank, "MPI_WIN_BASE", base == memory);
  win.Get_attr(MPI::WIN_SIZE, &bytes);
  say(rank, "MPI_WIN_SIZE", *bytes);
  win.Get_attr(MPI::WIN_DISP_UNIT, &unit);
  say(rank, "MPI_WIN_DISP_UNIT", *unit);
  win.Free();
  MPI::Win::Free_keyval(keyval);
}

static void predefined(const char* name, int keyval) {
  int* value = nullptr;
  const bool flag = MPI::COMM_WORLD.Get_attr(keyval, &value);
  say(rank, name, flag ? *value : -1);
}

int main(int argc, char** argv) {
  MPI::Init(argc, argv);
  rank = MPI::COMM_WORLD.Get_rank();
  of_communicators();
  of_datatypes();
  of_windows();
  predefined("MPI_TAG_UB", MPI::TAG_UB);
  predefined("MPI_IO", MPI::IO);
  predefined("MPI_WTIME_IS_GLOBAL", MPI::WTIME_IS_GLOBAL);
  MPI::Finalize();
}
