// Attributes of windows and what their delete functions may do: the window and its memory are still there.
#include <string>

#include "support/ranks.hpp"

using namespace conformance;

namespace {

constexpr int kRefused = 4711;

struct Log {
  std::string text;
  int code = MPI_SUCCESS;
};

int remove(MPI_Win, int, void* value, void* extra) {
  auto* log = static_cast<Log*>(extra);
  log->text += static_cast<char>(reinterpret_cast<long>(value));
  return log->code;
}
void* letter(char value) { return reinterpret_cast<void*>(static_cast<long>(value)); }

struct Shared {
  Shared() {
    MPI_Win_allocate_shared(4, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
  }
  int* base = nullptr;
  MPI_Win win = MPI_WIN_NULL;
};

char value_of(MPI_Win win, int key) {
  void* value = nullptr;
  int flag = 0;
  expect_error(MPI_Win_get_attr(win, key, &value, &flag), MPI_SUCCESS, "MPI_Win_get_attr");
  return flag ? static_cast<char>(reinterpret_cast<long>(value)) : '-';
}

void set_replaced_and_deleted() {
  Log log;
  int key, other;
  MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, remove, &key, &log);
  MPI_Win_create_keyval(MPI_WIN_DUP_FN, remove, &other, &log);
  Shared window;
  expect_equal(value_of(window.win, key), '-', "an attribute that was not set");
  MPI_Win_set_attr(window.win, key, letter('a'));
  MPI_Win_set_attr(window.win, other, letter('b'));
  MPI_Win_set_attr(window.win, key, letter('c'));
  expect_equal(log.text, std::string("a"), "what was deleted by setting");
  expect_equal(value_of(window.win, key), 'c', "the new value");
  expect_error(MPI_Win_delete_attr(window.win, key), MPI_SUCCESS, "MPI_Win_delete_attr");
  expect_error(MPI_Win_delete_attr(window.win, key), MPI_ERR_KEYVAL, "deleting it again");
  int copied = other;
  MPI_Win_free_keyval(&copied);  // in use: lives as long as its attribute
  expect_equal(value_of(window.win, other), 'b', "an attribute of a freed key");
  MPI_Win_free(&window.win);
  expect_equal(log.text, std::string("acb"), "what was deleted in all");
  MPI_Win_free_keyval(&key);
}

void refused_deletion_keeps_the_window() {
  Log log;
  int key;
  MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, remove, &key, &log);
  Shared window;
  MPI_Win_set_attr(window.win, key, letter('x'));
  log.code = kRefused;
  MPI_Win same = window.win;
  expect_equal(MPI_Win_free(&same), kRefused, "the error of the delete function");
  expect(same == window.win, "the handle stays");
  *window.base = rank();
  expect_equal(value_of(window.win, key), 'x', "the attribute");
  log.code = MPI_SUCCESS;
  expect_error(MPI_Win_free(&window.win), MPI_SUCCESS, "MPI_Win_free");
  MPI_Win_free_keyval(&key);
}

// All ranks meet in it, find each other's memory, and leave.
int looks_around(MPI_Win win, int key, void* value, void* extra) {
  ++*static_cast<int*>(extra);
  expect_equal(value_of(win, key), static_cast<char>(reinterpret_cast<long>(value)), "the value that goes");
  for (int other = 0; other < size(); ++other) {
    MPI_Aint bytes = 0;
    int unit = 0;
    int* base = nullptr;
    expect_error(MPI_Win_shared_query(win, other, &bytes, &unit, &base), MPI_SUCCESS, "a query");
    expect_equal(*base, other * 3, "the memory of rank " + std::to_string(other));
  }
  MPI_Win same = win, another = MPI_WIN_NULL;
  expect_error(MPI_Win_free(&same), MPI_ERR_KEYVAL, "freeing the window that is being freed");
  MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &another);
  MPI_Win_free(&another);
  return MPI_SUCCESS;
}

void delete_functions_may_call_mpi() {
  int calls = 0, key;
  MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, looks_around, &key, &calls);
  Shared window;
  *window.base = rank() * 3;
  MPI_Win_set_attr(window.win, key, letter('q'));
  MPI_Barrier(MPI_COMM_WORLD);
  expect_error(MPI_Win_free(&window.win), MPI_SUCCESS, "MPI_Win_free");
  expect_equal(calls, 1, "calls of the delete function");
  MPI_Win_free_keyval(&key);
}

void keys_of_another_kind_and_predefined_ones_are_refused() {
  int comm_key, type_key;
  MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &comm_key, nullptr);
  MPI_Type_create_keyval(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, &type_key, nullptr);
  Shared window;
  for (const int key :
       {comm_key, type_key, int{MPI_TAG_UB}, int{MPI_WIN_BASE}, int{MPI_WIN_SIZE}, int{MPI_WIN_DISP_UNIT},
        int{MPI_WIN_CREATE_FLAVOR}, int{MPI_WIN_MODEL}, int{MPI_KEYVAL_INVALID}, -1}) {
    expect_error(MPI_Win_set_attr(window.win, key, nullptr), MPI_ERR_KEYVAL,
                 "setting with key " + std::to_string(key));
    expect_error(MPI_Win_delete_attr(window.win, key), MPI_ERR_KEYVAL, "deleting with key " + std::to_string(key));
  }
  MPI_Win_free(&window.win);
  MPI_Comm_free_keyval(&comm_key);
  MPI_Type_free_keyval(&type_key);
}

}  // namespace

int main() {
  return run({{"attributes are set, replaced and deleted", set_replaced_and_deleted},
              {"a refused deletion keeps the window", refused_deletion_keeps_the_window},
              {"delete functions may call MPI", delete_functions_may_call_mpi},
              {"other keys are refused", keys_of_another_kind_and_predefined_ones_are_refused}});
}
