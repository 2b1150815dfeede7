// Keyvals with functions of the program's and with ready-made ones; attributes of communicators, datatypes and
// windows; those that MPI has set. The C++20 interface has no attributes of its own: its handles are those of C.
#include <antiphon/mpi.hpp>
#include <array>
#include <cstdint>

#include "say.h"

static int rank, deleted;

static void* as_value(std::intptr_t number) { return reinterpret_cast<void*>(number); }
static std::intptr_t number(int flag, void* value) { return flag ? reinterpret_cast<std::intptr_t>(value) : -1; }

static void of_communicators() {
  const auto add_state = [](MPI_Comm, int, void* state, void* in, void* out, int* flag) {
    *static_cast<void**>(out) = as_value(number(true, in) + number(true, state));
    *flag = 1;
    return MPI_SUCCESS;
  };
  const auto count = [](MPI_Comm, int, void*, void*) { return ++deleted, MPI_SUCCESS; };
  int copied = MPI_KEYVAL_INVALID, left = MPI_KEYVAL_INVALID, flag = 0;
  void* value = nullptr;
  MPI_Comm_create_keyval(add_state, count, &copied, as_value(10));
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &left, nullptr);
  {
    const auto one = antiphon::world().dup();
    MPI_Comm_get_attr(one, copied, &value, &flag);
    say(rank, "set at first", flag);
    MPI_Comm_set_attr(one, copied, as_value(5));
    MPI_Comm_set_attr(one, left, as_value(6));
    const auto two = one.dup();
    MPI_Comm_get_attr(two, copied, &value, &flag);
    say(rank, "copied", number(flag, value));
    MPI_Comm_get_attr(two, left, &value, &flag);
    say(rank, "copied without a function", flag);
    MPI_Comm_set_attr(two, copied, as_value(7));
    say(rank, "deleted by a new value", deleted);
    MPI_Comm_delete_attr(one, copied);
  }
  say(rank, "deleted", deleted);
  MPI_Comm_free_keyval(&copied);
  MPI_Comm_free_keyval(&left);
  say(rank, "keyval is gone", copied == MPI_KEYVAL_INVALID);
}

static void of_datatypes() {
  MPI_Datatype pair = antiphon::datatype_of<std::array<int, 2>>(), copy = MPI_DATATYPE_NULL;
  int keyval = MPI_KEYVAL_INVALID, flag = 0;
  void* value = nullptr;
  MPI_Type_create_keyval(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, &keyval, nullptr);
  MPI_Type_set_attr(pair, keyval, as_value(321));
  MPI_Type_dup(pair, &copy);
  MPI_Type_get_attr(copy, keyval, &value, &flag);
  say(rank, "datatype's", number(flag, value));
  MPI_Type_delete_attr(copy, keyval);
  MPI_Type_get_attr(copy, keyval, &value, &flag);
  say(rank, "datatype's after deletion", flag);
  MPI_Type_free(&copy);
  MPI_Type_free_keyval(&keyval);
}

static void of_windows() {
  std::vector<int> memory(3);
  const auto window = antiphon::world().expose(std::span(memory));
  int keyval = MPI_KEYVAL_INVALID, flag = 0, *unit = nullptr;
  MPI_Aint* bytes = nullptr;
  void *value = nullptr, *base = nullptr;
  MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, &keyval, nullptr);
  MPI_Win_set_attr(window, keyval, as_value(55));
  MPI_Win_get_attr(window, keyval, &value, &flag);
  say(rank, "window's", number(flag, value));
  MPI_Win_get_attr(window, MPI_WIN_BASE, &base, &flag);
  say(rank, "MPI_WIN_BASE", base == memory.data());
  MPI_Win_get_attr(window, MPI_WIN_SIZE, &bytes, &flag);
  say(rank, "MPI_WIN_SIZE", *bytes);
  MPI_Win_get_attr(window, MPI_WIN_DISP_UNIT, &unit, &flag);
  say(rank, "MPI_WIN_DISP_UNIT", *unit);
  MPI_Win_free_keyval(&keyval);
}

static void predefined(const char* name, int keyval) {
  int flag = 0, *value = nullptr;
  MPI_Comm_get_attr(antiphon::world(), keyval, &value, &flag);
  say(rank, name, flag ? *value : -1);
}

int main() {
  antiphon::environment mpi;
  rank = antiphon::world().rank();
  of_communicators();
  of_datatypes();
  of_windows();
  predefined("MPI_TAG_UB", MPI_TAG_UB);
  predefined("MPI_IO", MPI_IO);
  predefined("MPI_WTIME_IS_GLOBAL", MPI_WTIME_IS_GLOBAL);
}
