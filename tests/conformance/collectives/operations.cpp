// Operations of the program's own: MPI 5.0, 6.9.5 to 6.9.7. In either width of counts, commutative or not, on types
// with gaps; the left operand is the lower rank's, and what a function is told is what the call was told.
#include <cstdint>
#include <vector>

#include "collectives/affine.hpp"

using namespace conformance;

namespace {

MPI_Datatype told_type = MPI_DATATYPE_NULL;
MPI_Count told_most = 0;

void add(void* left, void* right, int* length, MPI_Datatype* type) {
  told_type = *type;
  told_most = std::max<MPI_Count>(told_most, *length);
  for (int i = 0; i < *length; ++i) static_cast<int*>(right)[i] += static_cast<int*>(left)[i];
}
void add_large(void* left, void* right, MPI_Count* length, MPI_Datatype* type) {
  told_type = *type;
  told_most = std::max(told_most, *length);
  for (MPI_Count i = 0; i < *length; ++i) static_cast<int*>(right)[i] += static_cast<int*>(left)[i];
}

constexpr int kCounts[] = {0, 1, 3, 100, 20'000};

// Sums of small numbers, by whatever `op` is.
void expect_sums(MPI_Op op, const std::string& what) {
  for (const int count : kCounts) {
    std::vector<int> mine(static_cast<std::size_t>(count)), sum(mine.size(), -1), wanted(mine.size());
    for (std::size_t i = 0; i < mine.size(); ++i) {
      mine[i] = rank() * 3 + static_cast<int>(i % 7);
      wanted[i] = 3 * size() * (size() - 1) / 2 + size() * static_cast<int>(i % 7);
    }
    expect_error(MPI_Allreduce(mine.data(), sum.data(), count, MPI_INT, op, MPI_COMM_WORLD), MPI_SUCCESS, what);
    expect(sum == wanted, what + " is wrong in MPI_Allreduce");
    sum.assign(mine.size(), -1);
    MPI_Reduce(mine.data(), sum.data(), count, MPI_INT, op, size() - 1, MPI_COMM_WORLD);
    if (rank() == size() - 1) expect(sum == wanted, what + " is wrong in MPI_Reduce");
  }
}

void a_function_is_told_the_type_and_no_more_than_there_is() {
  MPI_Op op = MPI_OP_NULL;
  MPI_Op_create(add, 1, &op);
  expect_sums(op, "a sum");
  // Not every rank need combine something.
  MPI_Count most = 0;
  MPI_Allreduce(&told_most, &most, 1, MPI_COUNT, MPI_MAX, MPI_COMM_WORLD);
  if (told_most > 0) expect(told_type == MPI_INT, "the function got another datatype than the call");
  if (size() > 1) expect(most <= 20'000 && most > 0, "the function got another number of elements than the call");
  expect_error(MPI_Op_free(&op), MPI_SUCCESS, "MPI_Op_free");
  expect(op == MPI_OP_NULL, "a freed operation is not MPI_OP_NULL");
}

void a_function_with_large_counts_does_the_same() {
  MPI_Op op = MPI_OP_NULL;
  told_type = MPI_DATATYPE_NULL;
  MPI_Op_create_c(add_large, 1, &op);
  expect_sums(op, "a sum with large counts");
  expect(told_type == MPI_INT || told_type == MPI_DATATYPE_NULL, "the function got another datatype than the call");
  MPI_Op_free(&op);
}

void what_does_not_commute_stays_in_rank_order() {
  const Composing composing;
  for (const int count : kCounts) {
    for (int root = -1; root < size(); ++root) {  // -1: all
      if (count > 1000 && root != size() / 2) continue;
      Maps mine(count, rank()), result(count);
      const int error =
          root < 0
              ? MPI_Allreduce(mine.data(), result.data(), count, composing.type, composing.op, MPI_COMM_WORLD)
              : MPI_Reduce(mine.data(), result.data(), count, composing.type, composing.op, root, MPI_COMM_WORLD);
      expect_error(error, MPI_SUCCESS, "a reduction");
      if (root >= 0 && root != rank()) continue;
      for (int i = 0; i < count; ++i)
        expect(result.at(i) == composed(0, size(), i),
               "a reduction of " + std::to_string(count) + " is out of order");
      expect(result.gaps_untouched(), "a reduction wrote where the type has gaps");
      expect(mine.are_drawn(rank()), "a reduction changed what was to be reduced");
    }
  }
}

void one_process_reduces_alone() {
  int left[] = {5, 6, 7}, right[] = {1, 2, 3};
  expect_error(MPI_Reduce_local(left, right, 3, MPI_INT, MPI_SUM), MPI_SUCCESS, "MPI_Reduce_local");
  expect(right[0] == 6 && right[1] == 8 && right[2] == 10, "MPI_Reduce_local is wrong");
  expect_error(MPI_Reduce_local_c(left, right, 2, MPI_INT, MPI_MIN), MPI_SUCCESS, "MPI_Reduce_local_c");
  expect(right[0] == 5 && right[1] == 6 && right[2] == 10, "MPI_Reduce_local_c is wrong");
  expect_error(MPI_Reduce_local(nullptr, nullptr, 0, MPI_INT, MPI_SUM), MPI_SUCCESS, "MPI_Reduce_local of nothing");

  const Composing composing;
  Maps first(50, 1), then(50, 2);
  MPI_Reduce_local(first.data(), then.data(), 50, composing.type, composing.op);
  for (int i = 0; i < 50; ++i) expect(then.at(i) == composed(1, 3, i), "MPI_Reduce_local takes its operands wrong");
  expect(then.gaps_untouched(), "MPI_Reduce_local wrote where the type has gaps");
}

// Longer than a first cache, again and again over the same memory, whose elements are of 4 bytes or 16.
void one_process_reduces_much() {
  struct Pair {
    double value;
    int index;
  };
  for (const int many : {4'096, 4'097, 30'001}) {
    const auto count = static_cast<std::size_t>(many);
    std::vector<int> left(count), right(count, 7);
    std::vector<Pair> lows(count), lowest(count, Pair{1e9, many + 9});
    for (int i = 0; i < many; ++i) left[static_cast<std::size_t>(i)] = i;
    int wrong = 0;
    for (int round = 1; round <= 5; ++round) {
      MPI_Reduce_local(left.data(), right.data(), many, MPI_INT, MPI_SUM);
      for (int i = 0; i < many; ++i) wrong += right[static_cast<std::size_t>(i)] != 7 + round * i;
      for (int i = 0; i < many; ++i) lows[static_cast<std::size_t>(i)] = {-1.0 * round, i + round};
      MPI_Reduce_local(lows.data(), lowest.data(), many, MPI_DOUBLE_INT, MPI_MINLOC);
      for (int i = 0; i < many; ++i) {
        const Pair& found = lowest[static_cast<std::size_t>(i)];
        wrong += found.value != -1.0 * round || found.index != i + round;
      }
      MPI_Reduce_local(lows.data(), lowest.data(), many, MPI_DOUBLE_INT, MPI_MINLOC);
      for (int i = 0; i < many; ++i) wrong += lowest[static_cast<std::size_t>(i)].index != i + round;
    }
    expect_equal(wrong, 0, "the number of wrong elements after MPI_Reduce_local");
  }
}

void operations_say_whether_they_commute() {
  const auto commutes = [](MPI_Op op) {
    int flag = -1;
    expect_error(MPI_Op_commutative(op, &flag), MPI_SUCCESS, "MPI_Op_commutative");
    return flag;
  };
  for (MPI_Op op : {MPI_SUM, MPI_PROD, MPI_MIN, MPI_MAX, MPI_LAND, MPI_BXOR, MPI_MINLOC, MPI_MAXLOC})
    expect_equal(commutes(op), 1, "that a predefined operation commutes");
  MPI_Op yes = MPI_OP_NULL, no = MPI_OP_NULL;
  MPI_Op_create(add, 17, &yes);
  MPI_Op_create(add, 0, &no);
  expect_equal(commutes(yes), 1, "that an operation commutes");
  expect_equal(commutes(no), 0, "that an operation commutes which does not");
  MPI_Op_free(&yes);
  MPI_Op_free(&no);
}

MPI_Op freed_by_itself = MPI_OP_NULL;
MPI_Datatype freed_meanwhile = MPI_DATATYPE_NULL;

// Frees what it is a part of, and asks for the size of the type that it is told.
void add_and_free(void* left, void* right, int* length, MPI_Datatype* type) {
  int bytes = 0;
  if (freed_by_itself != MPI_OP_NULL) {
    MPI_Type_size(*type, &bytes);
    expect_equal(bytes, 8, "the size of the type");
    MPI_Op_free(&freed_by_itself);
    MPI_Type_free(&freed_meanwhile);
  }
  for (int i = 0; i < 2 * *length; ++i) static_cast<int*>(right)[i] += static_cast<int*>(left)[i];
}

void a_function_may_free_its_operation_and_its_type() {
  MPI_Op_create(add_and_free, 1, &freed_by_itself);
  MPI_Type_contiguous(2, MPI_INT, &freed_meanwhile);
  MPI_Type_commit(&freed_meanwhile);
  const int mine[] = {1, rank()};
  int sum[] = {-1, -1};
  MPI_Allreduce(mine, sum, 1, freed_meanwhile, freed_by_itself, MPI_COMM_WORLD);
  expect_equal(sum[0], size(), "the sum of ones");
  expect_equal(sum[1], size() * (size() - 1) / 2, "the sum of ranks");
  if (freed_by_itself != MPI_OP_NULL) {
    MPI_Op_free(&freed_by_itself);
    MPI_Type_free(&freed_meanwhile);
  }
}

}  // namespace

int main() {
  return run({{"a function is told the type, and no more elements than there are",
               a_function_is_told_the_type_and_no_more_than_there_is},
              {"a function with large counts does the same", a_function_with_large_counts_does_the_same},
              {"what does not commute stays in rank order", what_does_not_commute_stays_in_rank_order},
              {"one process reduces alone", one_process_reduces_alone},
              {"one process reduces much", one_process_reduces_much},
              {"operations say whether they commute", operations_say_whether_they_commute},
              {"a function may free its operation and its type", a_function_may_free_its_operation_and_its_type}});
}
