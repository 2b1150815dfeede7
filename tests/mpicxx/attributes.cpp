// Attribute caching (MPI-2.2, 6.7): on communicators, datatypes and windows, with functions of the program and
// ready-made ones.
#include <stdexcept>

#include "expect.hpp"

namespace {

struct Calls {
  int copied = 0;
  int deleted = 0;
  bool was_cartesian = false;
};

// Attributes count how often they were copied.
int copy_and_count(const MPI::Comm& oldcomm, int keyval, void* extra_state, void* in, void* out, bool& flag) {
  Calls& calls = *static_cast<Calls*>(extra_state);
  ++calls.copied;
  calls.was_cartesian = dynamic_cast<const MPI::Cartcomm*>(&oldcomm) != nullptr;
  EXPECT(keyval != MPI::KEYVAL_INVALID);
  *static_cast<void**>(out) = static_cast<char*>(in) + 1;
  flag = true;
  return MPI::SUCCESS;
}

int count_deleted(MPI::Comm& comm, int /*keyval*/, void* /*value*/, void* extra_state) {
  EXPECT(comm.Get_size() >= 1);
  ++static_cast<Calls*>(extra_state)->deleted;
  return MPI::SUCCESS;
}

char place[8];

void attributes_follow_a_duplicate_through_the_copy_function() {
  Calls calls;
  int keyval = MPI::Comm::Create_keyval(copy_and_count, count_deleted, &calls);
  void* value = nullptr;
  EXPECT(!MPI::COMM_WORLD.Get_attr(keyval, &value));
  MPI::COMM_WORLD.Set_attr(keyval, place);
  MPI::Intracomm dup = MPI::COMM_WORLD.Dup();
  EXPECT(calls.copied == 1 && !calls.was_cartesian);
  EXPECT(dup.Get_attr(keyval, &value) && value == place + 1);
  EXPECT(MPI::COMM_WORLD.Get_attr(keyval, &value) && value == place);
  dup.Free();
  EXPECT(calls.deleted == 1 && dup == MPI::COMM_NULL);
  MPI::COMM_WORLD.Delete_attr(keyval);
  EXPECT(calls.deleted == 2);
  MPI::Comm::Free_keyval(keyval);
  EXPECT(keyval == MPI::KEYVAL_INVALID);
}

void a_copy_function_is_given_the_communicators_own_class() {
  Calls calls;
  int keyval = MPI::Comm::Create_keyval(copy_and_count, count_deleted, &calls);
  const int dims[] = {MPI::COMM_WORLD.Get_size()};
  const bool periods[] = {true};
  MPI::Cartcomm cart = MPI::COMM_WORLD.Create_cart(1, dims, periods, false);
  cart.Set_attr(keyval, place);
  MPI::Comm& clone = cart.Clone();
  EXPECT(calls.was_cartesian && dynamic_cast<MPI::Cartcomm*>(&clone) != nullptr);
  clone.Free();
  delete &clone;
  cart.Free();
  EXPECT(calls.copied == 1 && calls.deleted == 2);
  MPI::Comm::Free_keyval(keyval);
}

void ready_made_functions_copy_all_or_nothing() {
  int copied = MPI::Comm::Create_keyval(MPI::Comm::DUP_FN, MPI::Comm::NULL_DELETE_FN, nullptr);
  int left = MPI::Comm::Create_keyval(MPI::Comm::NULL_COPY_FN, MPI::Comm::NULL_DELETE_FN, nullptr);
  MPI::COMM_SELF.Set_attr(copied, place);
  MPI::COMM_SELF.Set_attr(left, place);
  MPI::Intracomm dup = MPI::COMM_SELF.Dup();
  void* value = nullptr;
  EXPECT(dup.Get_attr(copied, &value) && value == place);
  EXPECT(!dup.Get_attr(left, &value));
  dup.Free();
  MPI::COMM_SELF.Delete_attr(copied);
  MPI::COMM_SELF.Delete_attr(left);
  MPI::Comm::Free_keyval(copied);
  MPI::Comm::Free_keyval(left);
}

int fail_to_copy(const MPI::Comm&, int, void* code, void*, void*, bool&) { return *static_cast<int*>(code); }

int throw_instead(const MPI::Comm&, int, void*, void*, void*, bool&) { throw std::runtime_error("not this one"); }

int throw_on_deletion(MPI::Comm&, int, void*, void* armed) {
  if (*static_cast<bool*>(armed)) throw std::runtime_error("still in use");
  return MPI::SUCCESS;
}

void a_copy_function_that_fails_makes_the_duplication_fail() {
  MPI::Intracomm comm = MPI::COMM_WORLD.Dup();
  int code = MPI::Add_error_code(MPI::ERR_OTHER);
  MPI::Add_error_string(code, "cannot be copied");
  int failing = MPI::Comm::Create_keyval(fail_to_copy, MPI::Comm::NULL_DELETE_FN, &code);
  comm.Set_attr(failing, place);
  try {
    comm.Dup();
    expect::holds(false, "an exception", __FILE__, __LINE__);
  } catch (const MPI::Exception& exception) {
    EXPECT(exception.Get_error_class() == MPI::ERR_OTHER);
  }
  comm.Delete_attr(failing);
  MPI::Comm::Free_keyval(failing);

  int throwing = MPI::Comm::Create_keyval(throw_instead, MPI::Comm::NULL_DELETE_FN, nullptr);
  comm.Set_attr(throwing, place);
  bool caught = false;
  try {
    comm.Dup();
  } catch (const std::runtime_error& exception) {
    caught = std::strcmp(exception.what(), "not this one") == 0;
  }
  EXPECT(caught);
  comm.Delete_attr(throwing);
  MPI::Comm::Free_keyval(throwing);
  comm.Free();
}

void a_delete_function_that_throws_keeps_the_attribute() {
  bool armed = true;
  int keyval = MPI::Comm::Create_keyval(MPI::Comm::NULL_COPY_FN, throw_on_deletion, &armed);
  MPI::COMM_WORLD.Set_attr(keyval, place);
  bool caught = false;
  try {
    MPI::COMM_WORLD.Delete_attr(keyval);
  } catch (const std::runtime_error&) {
    caught = true;
  }
  void* value = nullptr;
  EXPECT(caught && MPI::COMM_WORLD.Get_attr(keyval, &value));
  armed = false;
  MPI::COMM_WORLD.Delete_attr(keyval);
  MPI::Comm::Free_keyval(keyval);
}

int copy_of_type(const MPI::Datatype& type, int, void*, void* in, void* out, bool& flag) {
  EXPECT(type.Get_size() == 3 * static_cast<int>(sizeof(int)));
  *static_cast<void**>(out) = static_cast<char*>(in) + 2;
  flag = true;
  return MPI::SUCCESS;
}

void datatypes_have_attributes() {
  int keyval = MPI::Datatype::Create_keyval(copy_of_type, MPI::Datatype::NULL_DELETE_FN, nullptr);
  MPI::Datatype three = MPI::INT.Create_contiguous(3);
  three.Set_attr(keyval, place);
  MPI::Datatype dup = three.Dup();
  void* value = nullptr;
  EXPECT(dup.Get_attr(keyval, &value) && value == place + 2);
  dup.Free();
  three.Free();
  MPI::Datatype::Free_keyval(keyval);
}

int count_window(MPI::Win& win, int, void*, void* count) {
  EXPECT(win != MPI::WIN_NULL);
  ++*static_cast<int*>(count);
  return MPI::SUCCESS;
}

void windows_have_attributes_and_predefined_ones() {
  int deleted = 0;
  int keyval = MPI::Win::Create_keyval(MPI::Win::NULL_COPY_FN, count_window, &deleted);
  MPI::Win win = MPI::Win::Create(place, sizeof place, 2, MPI::INFO_NULL, MPI::COMM_WORLD);
  void* base = nullptr;
  MPI::Aint* size = nullptr;
  int* unit = nullptr;
  EXPECT(win.Get_attr(MPI::WIN_BASE, &base) && base == place);
  EXPECT(win.Get_attr(MPI::WIN_SIZE, &size) && *size == sizeof place);
  EXPECT(win.Get_attr(MPI::WIN_DISP_UNIT, &unit) && *unit == 2);
  win.Set_attr(keyval, place);
  win.Free();
  EXPECT(deleted == 1 && win == MPI::WIN_NULL);
  MPI::Win::Free_keyval(keyval);
}

void c_and_cxx_see_the_same_attributes() {
  int keyval = MPI::KEYVAL_INVALID;
  MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &keyval, nullptr);
  MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, place);
  void* value = nullptr;
  EXPECT(MPI::COMM_WORLD.Get_attr(keyval, &value) && value == place);
  MPI::COMM_WORLD.Set_attr(keyval, place + 3);
  int flag = 0;
  MPI_Comm_get_attr(MPI_COMM_WORLD, keyval, &value, &flag);
  EXPECT(flag && value == place + 3);
  MPI::COMM_WORLD.Delete_attr(keyval);
  MPI::Comm::Free_keyval(keyval);
}

void wrong_keyvals_are_errors() {
  void* value = nullptr;
  EXPECT_THROWS(MPI::ERR_KEYVAL, "keyval", MPI::COMM_WORLD.Get_attr(MPI::KEYVAL_INVALID, &value));
  EXPECT_THROWS(MPI::ERR_KEYVAL, "keyval", MPI::COMM_WORLD.Set_attr(MPI::TAG_UB, place));
  int predefined = MPI::TAG_UB;
  EXPECT_THROWS(MPI::ERR_KEYVAL, "keyval", MPI::Comm::Free_keyval(predefined));
}

}  // namespace

int main() {
  return run(attributes_follow_a_duplicate_through_the_copy_function,
             a_copy_function_is_given_the_communicators_own_class, ready_made_functions_copy_all_or_nothing,
             a_copy_function_that_fails_makes_the_duplication_fail, a_delete_function_that_throws_keeps_the_attribute,
             datatypes_have_attributes, windows_have_attributes_and_predefined_ones,
             c_and_cxx_see_the_same_attributes, wrong_keyvals_are_errors);
}
