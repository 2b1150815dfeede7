// What the generated entry points rely on in api/arrays.hpp. Prints the first check that fails, and exits with 1.
#include "api/arrays.hpp"

#include <cstdio>
#include <cstdlib>

using antiphon::api::EitherFunction;
using antiphon::api::IntegerArray;
using antiphon::api::Narrowed;

namespace {

constexpr MPI_Count kTooLarge = MPI_Count{1} << 31;

void check(bool holds, const char* what) {
  if (holds) return;
  std::printf("%s\n", what);
  std::exit(1);
}

void arrays_read_either_width() {
  const int narrow[] = {-1, 2};
  const MPI_Count wide[] = {-1, kTooLarge};
  check(IntegerArray(narrow)[0] == -1 && IntegerArray(narrow)[1] == 2, "an array of int is read");
  check(IntegerArray(wide)[0] == -1 && IntegerArray(wide)[1] == kTooLarge, "an array of counts is read");
  check(IntegerArray(wide).wide() && !IntegerArray(narrow).wide(), "an array knows its width");
  check(!IntegerArray() && !IntegerArray(static_cast<const int*>(nullptr)), "a null array is false");
}

void results_are_narrowed() {
  int result = 7;
  auto fits = Narrowed(&result, "count");
  *fits.wide() = kTooLarge - 1;
  fits.store();
  check(result == 2147483647, "the largest int is stored");

  auto undefined = Narrowed(&result, "count");
  *undefined.wide() = kTooLarge;
  undefined.store_or_undefined();
  check(result == MPI_UNDEFINED, "what does not fit becomes MPI_UNDEFINED");

  result = 7;
  auto error = Narrowed(&result, "position");
  *error.wide() = -kTooLarge - 1;
  int error_class = MPI_SUCCESS;
  try {
    error.store();
  } catch (const antiphon::base::Error& thrown) {
    error_class = thrown.error_class;
  }
  check(error_class == MPI_ERR_VALUE_TOO_LARGE && result == 7, "what does not fit is an error and stores nothing");

  check(*Narrowed::in_out(&result, "position").wide() == 7, "an inout argument starts with the user's value");
  auto null = Narrowed::in_out(nullptr, "position");
  check(!null.wide(), "a null pointer stays one");
  null.store();
  null.store_or_undefined();
}

void functions_know_their_variant() {
  using Either = EitherFunction<MPI_User_function, MPI_User_function_c>;
  MPI_User_function* plain = [](void*, void*, int*, MPI_Datatype*) {};
  MPI_User_function_c* large = [](void*, void*, MPI_Count*, MPI_Datatype*) {};
  check(Either(plain).plain == plain && !Either(plain).large, "a plain function is plain");
  check(Either(large).large == large && !Either(large).plain, "a large-count function is large");
}

}  // namespace

int main() {
  arrays_read_either_width();
  results_are_narrowed();
  functions_know_their_variant();
}
