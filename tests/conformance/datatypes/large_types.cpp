// Types of more elements than an int can count, and nested deeper than anybody nests them: their sizes are told where
// they fit and are MPI_UNDEFINED where they do not, and any of their bytes can be packed and sent. Each rank alone.
#include <limits>
#include <vector>

#include "support/ranks.hpp"

using namespace conformance;

namespace {

constexpr MPI_Count kMany = MPI_Count{5} << 30;
constexpr int kMostInt = std::numeric_limits<int>::max();

void sizes_that_do_not_fit_are_undefined() {
  for (const MPI_Count count : {MPI_Count{kMostInt}, MPI_Count{kMostInt} + 1, kMany}) {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_contiguous_c(count, MPI_CHAR, &type);
    const int wanted = count > kMostInt ? MPI_UNDEFINED : kMostInt;
    int narrow = 0;
    MPI_Count wide = 0;
    MPI_Type_size(type, &narrow);
    expect_equal(narrow, wanted, "MPI_Type_size");
    MPI_Type_size_c(type, &wide);
    expect_equal(wide, count, "MPI_Type_size_c");
    MPI_Pack_size(1, type, MPI_COMM_SELF, &narrow);
    expect_equal(narrow, wanted, "MPI_Pack_size");
    MPI_Pack_size_c(2, type, MPI_COMM_SELF, &wide);
    expect_equal(wide, 2 * count, "MPI_Pack_size_c");
    MPI_Aint address = 0;
    MPI_Pack_external_size("external32", 1, type, &address);
    expect_equal(address, MPI_Aint{count}, "MPI_Pack_external_size");
    MPI_Count lb = -1, extent = 0;
    MPI_Type_get_extent_c(type, &lb, &extent);
    expect_equal(lb, 0, "the lower bound");
    expect_equal(extent, count, "the extent");
    MPI_Type_get_true_extent_c(type, &lb, &extent);
    expect_equal(extent, count, "the true extent");
    MPI_Type_free(&type);
  }
}

void counts_that_do_not_fit_are_undefined() {
  MPI_Status status = {};
  for (const MPI_Count count : {MPI_Count{kMostInt}, MPI_Count{kMostInt} + 1, kMany}) {
    const int wanted = count > kMostInt ? MPI_UNDEFINED : kMostInt;
    MPI_Status_set_elements_c(&status, MPI_INT, count);
    int narrow = 0;
    MPI_Count wide = 0;
    MPI_Get_count(&status, MPI_INT, &narrow);
    expect_equal(narrow, wanted, "MPI_Get_count");
    MPI_Get_elements(&status, MPI_INT, &narrow);
    expect_equal(narrow, wanted, "MPI_Get_elements");
    MPI_Get_count_c(&status, MPI_INT, &wide);
    expect_equal(wide, count, "MPI_Get_count_c");
    MPI_Get_elements_c(&status, MPI_INT, &wide);
    expect_equal(wide, count, "MPI_Get_elements_c");
  }
}

// Of a type of one int, a gap and two doubles, so many, and some elements more.
void elements_of_a_part_are_counted_far_out() {
  const int lengths[] = {1, 2};
  const MPI_Aint displacements[] = {0, 16};
  const MPI_Datatype types[] = {MPI_INT, MPI_DOUBLE};
  MPI_Datatype one = MPI_DATATYPE_NULL, many = MPI_DATATYPE_NULL;
  MPI_Type_create_struct(2, lengths, displacements, types, &one);
  MPI_Type_contiguous_c(kMany, one, &many);
  MPI_Status status = {};
  for (const MPI_Count elements : {MPI_Count{0}, MPI_Count{4}, 3 * kMany - 1, 3 * kMany, 3 * kMany + 2, 9 * kMany}) {
    MPI_Status_set_elements_c(&status, many, elements);
    MPI_Count found = -1, bytes = -1;
    MPI_Get_elements_c(&status, many, &found);
    expect_equal(found, elements, "MPI_Get_elements_c");
    MPI_Get_count_c(&status, MPI_BYTE, &bytes);
    const MPI_Count rest[] = {0, 4, 12};
    expect_equal(bytes, elements / 3 * 20 + rest[elements % 3], "the bytes");
    MPI_Get_count_c(&status, many, &found);
    expect_equal(found, elements % (3 * kMany) == 0 ? elements / (3 * kMany) : MPI_UNDEFINED, "MPI_Get_count_c");
  }
  MPI_Status_set_elements_c(&status, MPI_BYTE, 7);
  MPI_Count found = -1;
  MPI_Get_elements_c(&status, many, &found);
  expect_equal(found, MPI_UNDEFINED, "MPI_Get_elements_c of what ends inside a double");
  MPI_Type_free(&one);
  MPI_Type_free(&many);
}

// Each level is two of the level below with a gap: 2^50 bytes in all. To commit it takes no longer than any other.
void fifty_doublings_cost_nothing() {
  MPI_Datatype type = MPI_BYTE;
  MPI_Count extent = 1;
  for (int level = 0; level < 50; ++level) {
    MPI_Datatype next = MPI_DATATYPE_NULL;
    MPI_Type_create_hvector_c(2, 1, extent + 1, type, &next);
    extent = 2 * extent + 1;
    if (type != MPI_BYTE) MPI_Type_free(&type);
    type = next;
  }
  MPI_Type_commit(&type);
  MPI_Count size = 0, lb = 0, found = 0;
  MPI_Type_size_c(type, &size);
  expect_equal(size, MPI_Count{1} << 50, "the size after 50 doublings");
  MPI_Type_get_extent_c(type, &lb, &found);
  expect_equal(found, extent, "the extent after 50 doublings");
  MPI_Status status = {};
  MPI_Status_set_elements_c(&status, type, (MPI_Count{1} << 49) + 5);
  MPI_Get_elements_c(&status, type, &found);
  expect_equal(found, (MPI_Count{1} << 49) + 5, "MPI_Get_elements_c after 50 doublings");
  MPI_Type_free(&type);
}

// Every constructor in turn, each around one element of the level below and one int more: 51 ints, which go to this
// rank itself and arrive in their order.
void fifty_levels_are_packed_in_order() {
  constexpr int kLevels = 50;
  constexpr MPI_Aint kSpan = 8;  // bytes from one int to the next
  MPI_Datatype type = MPI_INT;
  for (int level = 1; level <= kLevels; ++level) {
    MPI_Datatype wrapped = MPI_DATATYPE_NULL, next = MPI_DATATYPE_NULL;
    const int one = 1, zero = 0, size = 1;
    const MPI_Aint nowhere = 0;
    switch (level % 8) {
      case 0:
        MPI_Type_dup(type, &wrapped);
        break;
      case 1:
        MPI_Type_contiguous(1, type, &wrapped);
        break;
      case 2:
        MPI_Type_vector(1, 1, -5, type, &wrapped);
        break;
      case 3:
        MPI_Type_indexed(1, &one, &zero, type, &wrapped);
        break;
      case 4:
        MPI_Type_create_hindexed_block(1, 1, &nowhere, type, &wrapped);
        break;
      case 5:
        MPI_Type_create_subarray(1, &size, &size, &zero, MPI_ORDER_FORTRAN, type, &wrapped);
        break;
      case 6: {
        const int distribution = MPI_DISTRIBUTE_CYCLIC, argument = MPI_DISTRIBUTE_DFLT_DARG;
        MPI_Type_create_darray(1, 0, 1, &size, &distribution, &argument, &size, MPI_ORDER_C, type, &wrapped);
        break;
      }
      default:
        MPI_Type_create_resized(type, -3, 1000, &wrapped);
    }
    const int lengths[] = {1, 1};
    const MPI_Aint displacements[] = {0, level * kSpan};
    const MPI_Datatype types[] = {wrapped, MPI_INT};
    MPI_Type_create_struct(2, lengths, displacements, types, &next);
    MPI_Type_free(&wrapped);
    if (type != MPI_INT) MPI_Type_free(&type);
    type = next;
  }
  MPI_Type_commit(&type);
  std::vector<int> out(2 * kLevels + 1, -1), in(2 * kLevels + 1, -1);
  for (std::size_t i = 0; i < out.size(); i += 2) out[i] = static_cast<int>(i);
  MPI_Sendrecv(out.data(), 1, type, 0, 0, in.data(), 1, type, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  expect(in == out, "51 ints from a type nested 50 deep are not what was sent");
  MPI_Type_free(&type);
}

// Deeper than the stack is, were each level a call. With a gap between any two ints, so that all of them are listed.
void twenty_thousand_levels_are_packed_in_order() {
  constexpr int kLevels = 20'000;
  MPI_Datatype type = MPI_INT;
  for (int level = 1; level <= kLevels; ++level) {
    MPI_Datatype next = MPI_DATATYPE_NULL;
    const int lengths[] = {1, 1};
    const MPI_Aint displacements[] = {0, level * MPI_Aint{16} + (level % 3) * MPI_Aint{4}};
    const MPI_Datatype types[] = {type, MPI_INT};
    MPI_Type_create_struct(2, lengths, displacements, types, &next);
    if (type != MPI_INT) MPI_Type_free(&type);
    type = next;
  }
  MPI_Type_commit(&type);
  std::vector<int> out(4 * kLevels + 4), in(out.size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<int>(i);
  MPI_Sendrecv(out.data(), 1, type, 0, 0, in.data(), 1, type, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  int wrong = in[0] != 0;
  for (std::size_t level = 1; level <= kLevels; ++level) {
    const std::size_t place = 4 * level + level % 3;
    wrong += in[place] != out[place];
  }
  expect_equal(wrong, 0, "wrong ints from a type nested 20,000 deep");
  MPI_Status status = {};
  MPI_Count found = 0;
  MPI_Status_set_elements_c(&status, type, kLevels / 2);
  MPI_Get_elements_c(&status, type, &found);
  expect_equal(found, MPI_Count{kLevels / 2}, "MPI_Get_elements_c of half of it");
  MPI_Type_free(&type);
}

// The same, where no level adds anything.
void a_hundred_thousand_copies_are_one() {
  MPI_Datatype type = MPI_INT;
  for (int level = 0; level < 100'000; ++level) {
    MPI_Datatype next = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(1, type, &next);
    if (type != MPI_INT) MPI_Type_free(&type);
    type = next;
  }
  MPI_Type_commit(&type);
  int size = 0;
  MPI_Type_size(type, &size);
  expect_equal(size, 4, "the size");
  MPI_Type_free(&type);
}

void what_64_bits_cannot_count_is_refused() {
  constexpr MPI_Count kMost = std::numeric_limits<MPI_Count>::max();
  MPI_Datatype big = MPI_DATATYPE_NULL, type = MPI_DATATYPE_NULL;
  MPI_Type_contiguous_c(kMost, MPI_BYTE, &big);
  expect_error(MPI_Type_contiguous_c(2, big, &type), MPI_ERR_COUNT, "twice the largest type");
  expect_error(MPI_Type_vector_c(2, 1, 2, big, &type), MPI_ERR_ARG, "two of the largest type with a gap");
  expect_error(MPI_Type_vector_c(kMost, 1, 2, MPI_BYTE, &type), MPI_ERR_ARG, "a vector beyond the end of memory");
  expect_error(MPI_Type_create_resized_c(big, 10, kMost, &type), MPI_ERR_ARG, "an upper bound beyond 64 bits");
  const MPI_Count sizes[] = {kMost, 2}, starts[] = {0, 0};
  expect_error(MPI_Type_create_subarray_c(2, sizes, sizes, starts, MPI_ORDER_C, MPI_INT, &type), MPI_ERR_ARG,
               "an array beyond the end of memory");
  MPI_Type_commit(&big);
  const char byte = 0;
  expect_error(MPI_Send_c(&byte, 2, big, 0, 0, MPI_COMM_WORLD), MPI_ERR_COUNT,
               "two of the largest type in a message");
  MPI_Type_free(&big);
}

}  // namespace

int main() {
  return run({{"sizes that do not fit are undefined", sizes_that_do_not_fit_are_undefined},
              {"counts that do not fit are undefined", counts_that_do_not_fit_are_undefined},
              {"elements of a part are counted far out", elements_of_a_part_are_counted_far_out},
              {"fifty doublings cost nothing", fifty_doublings_cost_nothing},
              {"fifty levels are packed in order", fifty_levels_are_packed_in_order},
              {"twenty thousand levels are packed in order", twenty_thousand_levels_are_packed_in_order},
              {"a hundred thousand copies are one", a_hundred_thousand_copies_are_one},
              {"what 64 bits cannot count is refused", what_64_bits_cannot_count_is_refused}});
}
