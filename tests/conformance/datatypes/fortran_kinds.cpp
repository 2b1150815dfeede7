// Datatypes found by what they hold: Fortran's parametrized kinds (MPI 5.0, 19.1.9), MPI_Type_match_size, and pairs
// of a value and an index (5.1.12).
#include <string>
#include <vector>

#include "support/ranks.hpp"

using namespace conformance;

namespace {

int size_of(MPI_Datatype type) {
  int size = 0;
  MPI_Type_size(type, &size);
  return size;
}

// What MPI_Type_get_envelope and MPI_Type_get_contents say of a parametrized kind.
void expect_made_by(MPI_Datatype type, int combiner, const std::vector<int>& arguments,
                    const Where& where = Where::current()) {
  int integers = 0, addresses = -1, types = -1, found = 0;
  MPI_Type_get_envelope(type, &integers, &addresses, &types, &found);
  expect_equal(found, combiner, "the combiner", where);
  expect_equal(static_cast<std::size_t>(integers), arguments.size(), "the number of integers", where);
  expect_equal(addresses, 0, "the number of addresses", where);
  expect_equal(types, 0, "the number of datatypes", where);
  std::vector<int> contents(static_cast<std::size_t>(integers));
  MPI_Type_get_contents(type, integers, 0, 0, contents.data(), nullptr, nullptr);
  expect(contents == arguments, "the arguments are not those that it was made from", where);
}

void reals_hold_what_is_asked_for() {
  struct Case {
    int digits, range, bytes;
  };
  const Case cases[] = {{6, 37, 4},
                        {6, MPI_UNDEFINED, 4},
                        {MPI_UNDEFINED, 37, 4},
                        {7, 37, 8},
                        {6, 38, 8},
                        {15, 307, 8},
                        {15, MPI_UNDEFINED, 8},
                        {MPI_UNDEFINED, 307, 8},
                        {16, MPI_UNDEFINED, 16},
                        {MPI_UNDEFINED, 308, 16},
                        {33, 4931, 16}};
  for (const Case& c : cases) {
    MPI_Datatype real = MPI_DATATYPE_NULL, again = MPI_DATATYPE_NULL, complex = MPI_DATATYPE_NULL;
    MPI_Type_create_f90_real(c.digits, c.range, &real);
    MPI_Type_create_f90_real(c.digits, c.range, &again);
    MPI_Type_create_f90_complex(c.digits, c.range, &complex);
    const std::string what = "REAL(" + std::to_string(c.digits) + ", " + std::to_string(c.range) + ")";
    expect_equal(size_of(real), c.bytes, "the size of " + what);
    expect_equal(size_of(complex), 2 * c.bytes, "the size of COMPLEX like " + what);
    expect(real == again, what + " has two handles");
    expect_made_by(real, MPI_COMBINER_F90_REAL, {c.digits, c.range});
    expect_made_by(complex, MPI_COMBINER_F90_COMPLEX, {c.digits, c.range});
    MPI_Datatype freed = real;
    expect_error(MPI_Type_free(&freed), MPI_ERR_TYPE, "MPI_Type_free of " + what);
  }
}

void integers_hold_what_is_asked_for() {
  const int cases[][2] = {{1, 1}, {2, 1}, {3, 2}, {4, 2}, {5, 4}, {9, 4}, {10, 8}, {18, 8}, {19, 16}, {38, 16}};
  for (const auto& [range, bytes] : cases) {
    MPI_Datatype integer = MPI_DATATYPE_NULL, again = MPI_DATATYPE_NULL;
    MPI_Type_create_f90_integer(range, &integer);
    MPI_Type_create_f90_integer(range, &again);
    expect_equal(size_of(integer), bytes, "the size of INTEGER(" + std::to_string(range) + ")");
    expect(integer == again, "INTEGER(" + std::to_string(range) + ") has two handles");
    expect_made_by(integer, MPI_COMBINER_F90_INTEGER, {range});
  }
}

void kinds_that_no_machine_has_are_refused() {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  expect_error(MPI_Type_create_f90_real(34, MPI_UNDEFINED, &type), MPI_ERR_ARG, "a REAL of 34 digits");
  expect_error(MPI_Type_create_f90_real(MPI_UNDEFINED, 4932, &type), MPI_ERR_ARG, "a REAL up to 10^4932");
  expect_error(MPI_Type_create_f90_complex(MPI_UNDEFINED, MPI_UNDEFINED, &type), MPI_ERR_ARG, "any COMPLEX");
  expect_error(MPI_Type_create_f90_integer(39, &type), MPI_ERR_ARG, "an INTEGER up to 10^39");
}

// They need no commit, and take part in messages and reductions as the type that they are.
void kinds_are_used_like_predefined_types() {
  MPI_Datatype real = MPI_DATATYPE_NULL;
  MPI_Type_create_f90_real(15, 307, &real);
  const double value = 2.5;
  double got = 0, sum = 0;
  MPI_Sendrecv(&value, 1, real, 0, 0, &got, 1, MPI_DOUBLE, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  expect_equal(got, value, "what was sent as REAL(15, 307)");
  MPI_Allreduce(&value, &sum, 1, real, MPI_SUM, MPI_COMM_WORLD);
  expect_equal(sum, value * size(), "a sum of REAL(15, 307)");
}

void sizes_match() {
  const struct {
    int typeclass;
    std::vector<int> sizes;
  } classes[] = {{MPI_TYPECLASS_INTEGER, {1, 2, 4, 8, 16}},
                 {MPI_TYPECLASS_REAL, {2, 4, 8, 16}},
                 {MPI_TYPECLASS_COMPLEX, {4, 8, 16, 32}}};
  for (const auto& typeclass : classes)
    for (const int bytes : typeclass.sizes) {
      MPI_Datatype type = MPI_DATATYPE_NULL;
      MPI_Type_match_size(typeclass.typeclass, bytes, &type);
      expect_equal(size_of(type), bytes, "the size that was asked for");
    }
  MPI_Datatype type = MPI_DATATYPE_NULL;
  expect_error(MPI_Type_match_size(MPI_TYPECLASS_REAL, 3, &type), MPI_ERR_ARG, "a REAL of 3 bytes");
}

void values_and_indices_make_pairs() {
  const MPI_Datatype pairs[][2] = {{MPI_FLOAT, MPI_FLOAT_INT}, {MPI_DOUBLE, MPI_DOUBLE_INT},
                                   {MPI_LONG, MPI_LONG_INT},   {MPI_INT, MPI_2INT},
                                   {MPI_SHORT, MPI_SHORT_INT}, {MPI_LONG_DOUBLE, MPI_LONG_DOUBLE_INT}};
  for (const auto& [value, wanted] : pairs) {
    MPI_Datatype pair = MPI_DATATYPE_NULL;
    MPI_Type_get_value_index(value, MPI_INT, &pair);
    expect(pair == wanted, "MPI_Type_get_value_index finds another pair");
  }
  MPI_Datatype pair = MPI_INT;
  MPI_Type_get_value_index(MPI_CHAR, MPI_CHAR, &pair);
  expect(pair == MPI_DATATYPE_NULL, "there is a pair of two MPI_CHAR");
}

}  // namespace

int main() {
  return run({{"reals hold what is asked for", reals_hold_what_is_asked_for},
              {"integers hold what is asked for", integers_hold_what_is_asked_for},
              {"kinds that no machine has are refused", kinds_that_no_machine_has_are_refused},
              {"kinds are used like predefined types", kinds_are_used_like_predefined_types},
              {"sizes match", sizes_match},
              {"values and indices make pairs", values_and_indices_make_pairs}});
}
