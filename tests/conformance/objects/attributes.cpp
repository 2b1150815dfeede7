// Attribute callbacks through the C interface: order, errors, callbacks that call MPI, keys that are freed in use.
#include <string>
#include <vector>

#include "expect.hpp"

namespace {

constexpr int kRefused = 4711;

struct Log {
  std::string text;
  int copy_code = MPI_SUCCESS;
  int delete_code = MPI_SUCCESS;
  int keep = 1;
};

void* number(long value) { return reinterpret_cast<void*>(value); }
long as_long(void* value) { return reinterpret_cast<long>(value); }

int copy(MPI_Comm, int, void* extra, void* in, void* out, int* flag) {
  auto* log = static_cast<Log*>(extra);
  log->text += "c" + std::to_string(as_long(in)) + " ";
  *static_cast<void**>(out) = number(as_long(in) + 1);
  *flag = log->keep;
  return log->copy_code;
}

int remove(MPI_Comm, int, void* value, void* extra) {
  auto* log = static_cast<Log*>(extra);
  log->text += "d" + std::to_string(as_long(value)) + " ";
  return log->delete_code;
}

long value_of(MPI_Comm comm, int key) {
  void* value = number(-1);
  int flag = 0;
  EXPECT_SUCCESS(MPI_Comm_get_attr(comm, key, &value, &flag));
  return flag ? as_long(value) : -1;
}

MPI_Comm returning_dup() {
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  return comm;
}

void copies_on_dup_and_deletes_on_free() {
  Log log;
  int key = MPI_KEYVAL_INVALID;
  EXPECT_SUCCESS(MPI_Comm_create_keyval(copy, remove, &key, &log));
  MPI_Comm comm = returning_dup(), second;
  EXPECT_SUCCESS(MPI_Comm_set_attr(comm, key, number(10)));
  EXPECT_SUCCESS(MPI_Comm_dup(comm, &second));
  EXPECT_EQUAL(value_of(second, key), 11);
  EXPECT_EQUAL(value_of(comm, key), 10);
  EXPECT_SUCCESS(MPI_Comm_set_attr(second, key, number(20)));
  EXPECT_TRUE(log.text == "c10 d11 ");
  log.keep = 0;
  MPI_Comm third;
  EXPECT_SUCCESS(MPI_Comm_dup(second, &third));
  EXPECT_EQUAL(value_of(third, key), -1);
  log.text.clear();
  EXPECT_SUCCESS(MPI_Comm_free(&third));
  EXPECT_SUCCESS(MPI_Comm_free(&second));
  EXPECT_SUCCESS(MPI_Comm_free(&comm));
  EXPECT_TRUE(log.text == "d20 d10 ");
  EXPECT_SUCCESS(MPI_Comm_free_keyval(&key));
  EXPECT_EQUAL(key, MPI_KEYVAL_INVALID);
}

void a_split_copies_nothing() {
  Log log;
  int key;
  MPI_Comm_create_keyval(copy, remove, &key, &log);
  MPI_Comm comm = returning_dup(), part;
  MPI_Comm_set_attr(comm, key, number(1));
  EXPECT_SUCCESS(MPI_Comm_split(comm, 0, 0, &part));
  EXPECT_EQUAL(value_of(part, key), -1);
  EXPECT_TRUE(log.text.empty());
  MPI_Comm_free(&part);
  MPI_Comm_free(&comm);
  MPI_Comm_free_keyval(&key);
}

void errors_of_callbacks_fail_the_call_and_nothing_else() {
  Log good, bad;
  int good_key, bad_key;
  MPI_Comm_create_keyval(copy, remove, &good_key, &good);
  MPI_Comm_create_keyval(copy, remove, &bad_key, &bad);
  MPI_Comm comm = returning_dup();
  MPI_Comm_set_attr(comm, good_key, number(1));
  MPI_Comm_set_attr(comm, bad_key, number(2));

  bad.copy_code = kRefused;
  MPI_Comm copy_of_it = MPI_COMM_WORLD;
  EXPECT_EQUAL(MPI_Comm_dup(comm, &copy_of_it), kRefused);
  EXPECT_TRUE(copy_of_it == MPI_COMM_NULL);
  EXPECT_TRUE(good.text == "c1 d2 ");  // copied first, then deleted with the copy
  EXPECT_TRUE(bad.text == "c2 ");
  bad.copy_code = MPI_SUCCESS;
  EXPECT_SUCCESS(MPI_Comm_dup(comm, &copy_of_it));
  EXPECT_SUCCESS(MPI_Comm_free(&copy_of_it));

  bad.delete_code = kRefused;
  EXPECT_EQUAL(MPI_Comm_set_attr(comm, bad_key, number(3)), kRefused);
  EXPECT_EQUAL(value_of(comm, bad_key), 2);
  EXPECT_EQUAL(MPI_Comm_delete_attr(comm, bad_key), kRefused);
  EXPECT_EQUAL(value_of(comm, bad_key), 2);
  MPI_Comm same = comm;
  EXPECT_EQUAL(MPI_Comm_free(&same), kRefused);
  EXPECT_TRUE(same == comm);
  EXPECT_SUCCESS(MPI_Barrier(comm));
  EXPECT_EQUAL(value_of(comm, good_key), 1);
  bad.delete_code = MPI_SUCCESS;
  EXPECT_SUCCESS(MPI_Comm_free(&comm));
  MPI_Comm_free_keyval(&good_key);
  MPI_Comm_free_keyval(&bad_key);
}

// A delete function that uses MPI on its own communicator in every way that might confuse it.
int busy_key, side_key;
int busy_remove(MPI_Comm comm, int key, void* value, void* extra) {
  auto* calls = static_cast<int*>(extra);
  ++*calls;
  EXPECT_EQUAL(value_of(comm, key), as_long(value));
  EXPECT_SUCCESS(MPI_Barrier(comm));
  for (long i = 0; i < 50; ++i) EXPECT_SUCCESS(MPI_Comm_set_attr(comm, side_key, number(i)));
  MPI_Comm inner;
  EXPECT_SUCCESS(MPI_Comm_dup(comm, &inner));
  EXPECT_SUCCESS(MPI_Comm_free(&inner));
  EXPECT_TRUE(MPI_Comm_set_attr(comm, key, number(1)) != MPI_SUCCESS);
  EXPECT_TRUE(MPI_Comm_delete_attr(comm, key) != MPI_SUCCESS);
  MPI_Comm same = comm;
  EXPECT_TRUE(MPI_Comm_free(&same) != MPI_SUCCESS);
  MPI_Comm_delete_attr(comm, side_key);
  return MPI_SUCCESS;
}

void callbacks_may_call_mpi() {
  int calls = 0;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, busy_remove, &busy_key, &calls);
  MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &side_key, nullptr);
  MPI_Comm comm = returning_dup();
  MPI_Comm_set_attr(comm, busy_key, number(5));
  EXPECT_SUCCESS(MPI_Comm_delete_attr(comm, busy_key));
  EXPECT_EQUAL(calls, 1);
  EXPECT_EQUAL(value_of(comm, busy_key), -1);
  MPI_Comm_set_attr(comm, busy_key, number(6));
  EXPECT_SUCCESS(MPI_Comm_free(&comm));
  EXPECT_EQUAL(calls, 2);
  MPI_Comm_free_keyval(&busy_key);
  MPI_Comm_free_keyval(&side_key);
}

void a_freed_key_lives_until_its_last_attribute_goes() {
  Log log;
  int key;
  MPI_Comm_create_keyval(copy, remove, &key, &log);
  MPI_Comm comm = returning_dup(), second;
  MPI_Comm_set_attr(comm, key, number(1));
  int number_of_key = key;
  EXPECT_SUCCESS(MPI_Comm_free_keyval(&key));
  EXPECT_EQUAL(value_of(comm, number_of_key), 1);
  EXPECT_SUCCESS(MPI_Comm_dup(comm, &second));
  EXPECT_EQUAL(value_of(second, number_of_key), 2);
  EXPECT_SUCCESS(MPI_Comm_delete_attr(comm, number_of_key));
  EXPECT_EQUAL(value_of(comm, number_of_key), -1);
  EXPECT_SUCCESS(MPI_Comm_free(&second));
  EXPECT_TRUE(log.text == "c1 d1 d2 ");
  void* value;
  int flag;
  EXPECT_ERROR(MPI_Comm_get_attr(comm, number_of_key, &value, &flag), MPI_ERR_KEYVAL);
  MPI_Comm_free(&comm);
}

int copy_type(MPI_Datatype, int, void* extra, void* in, void* out, int* flag) {
  return copy(MPI_COMM_NULL, 0, extra, in, out, flag);
}
int remove_type(MPI_Datatype, int, void* value, void* extra) { return remove(MPI_COMM_NULL, 0, value, extra); }

void datatypes_have_attributes_too() {
  Log log;
  int key;
  EXPECT_SUCCESS(MPI_Type_create_keyval(copy_type, remove_type, &key, &log));
  MPI_Datatype type;
  MPI_Type_contiguous(2, MPI_INT, &type);
  EXPECT_SUCCESS(MPI_Type_set_attr(type, key, number(1)));
  EXPECT_SUCCESS(MPI_Type_set_attr(MPI_INT, key, number(2)));
  void* value = nullptr;
  int flag = 0;
  EXPECT_SUCCESS(MPI_Type_get_attr(type, key, &value, &flag));
  EXPECT_TRUE(flag && as_long(value) == 1);
  EXPECT_SUCCESS(MPI_Type_get_attr(MPI_DOUBLE, key, &value, &flag));
  EXPECT_EQUAL(flag, 0);
  EXPECT_SUCCESS(MPI_Type_delete_attr(MPI_INT, key));
  EXPECT_SUCCESS(MPI_Type_free(&type));
  EXPECT_TRUE(log.text == "d2 d1 ");
  EXPECT_SUCCESS(MPI_Type_free_keyval(&key));
}

void keys_of_another_kind_and_predefined_ones_are_refused() {
  int comm_key, type_key, win_key;
  MPI_Comm comm = returning_dup();
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &comm_key, nullptr);
  MPI_Type_create_keyval(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, &type_key, nullptr);
  MPI_Win_create_keyval(MPI_WIN_DUP_FN, MPI_WIN_NULL_DELETE_FN, &win_key, nullptr);
  for (int key : {type_key, win_key, static_cast<int>(MPI_TAG_UB), static_cast<int>(MPI_LASTUSEDCODE),
                  static_cast<int>(MPI_WIN_BASE), static_cast<int>(MPI_KEYVAL_INVALID), -1, 0x7fffffff}) {
    EXPECT_ERROR(MPI_Comm_set_attr(comm, key, nullptr), MPI_ERR_KEYVAL);
    EXPECT_ERROR(MPI_Comm_delete_attr(comm, key), MPI_ERR_KEYVAL);
    EXPECT_ERROR(MPI_Attr_put(comm, key, nullptr), MPI_ERR_KEYVAL);
    EXPECT_ERROR(MPI_Attr_delete(comm, key), MPI_ERR_KEYVAL);
    int copied = key;
    EXPECT_ERROR(MPI_Comm_free_keyval(&copied), MPI_ERR_KEYVAL);
    EXPECT_EQUAL(copied, key);
  }
  EXPECT_ERROR(MPI_Type_set_attr(MPI_INT, comm_key, nullptr), MPI_ERR_KEYVAL);
  EXPECT_ERROR(MPI_Type_free_keyval(&comm_key), MPI_ERR_KEYVAL);
  EXPECT_SUCCESS(MPI_Comm_free_keyval(&comm_key));
  EXPECT_SUCCESS(MPI_Type_free_keyval(&type_key));
  EXPECT_SUCCESS(MPI_Win_free_keyval(&win_key));
  MPI_Comm_free(&comm);
}

void many_attributes_and_many_keys() {
  constexpr int kKeys = 1000;
  std::vector<int> keys(kKeys);
  MPI_Comm comm = returning_dup(), second;
  for (int i = 0; i < kKeys; ++i) {
    MPI_Keyval_create(MPI_DUP_FN, MPI_NULL_DELETE_FN, &keys[static_cast<std::size_t>(i)], nullptr);
    MPI_Attr_put(comm, keys[static_cast<std::size_t>(i)], number(i));
  }
  MPI_Comm_dup(comm, &second);
  int wrong = 0;
  for (int i = 0; i < kKeys; ++i) wrong += value_of(second, keys[static_cast<std::size_t>(i)]) != i;
  EXPECT_EQUAL(wrong, 0);
  for (int& key : keys) MPI_Keyval_free(&key);
  MPI_Comm_free(&comm);
  MPI_Comm_free(&second);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  copies_on_dup_and_deletes_on_free();
  a_split_copies_nothing();
  errors_of_callbacks_fail_the_call_and_nothing_else();
  callbacks_may_call_mpi();
  a_freed_key_lives_until_its_last_attribute_goes();
  datatypes_have_attributes_too();
  keys_of_another_kind_and_predefined_ones_are_refused();
  many_attributes_and_many_keys();
  MPI_Finalize();
  return expect::failures != 0;
}
