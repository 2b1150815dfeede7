// Collectives, and operations of the program (MPI-2.2, 5).
#include <complex>
#include <stdexcept>
#include <vector>

#include "expect.hpp"

namespace {

// a*x + b, composed: associative, and not commutative.
void compose(const void* invec, void* inoutvec, int len, const MPI::Datatype& datatype) {
  EXPECT(datatype.Get_size() == 2 * static_cast<int>(sizeof(long)));
  const long* in = static_cast<const long*>(invec);
  long* inout = static_cast<long*>(inoutvec);
  for (int i = 0; i < 2 * len; i += 2) {
    inout[i + 1] += inout[i] * in[i + 1];
    inout[i] *= in[i];
  }
}

template <int number>
void add_and_mark(const void* invec, void* inoutvec, int len, const MPI::Datatype&) {
  for (int i = 0; i < len; ++i) static_cast<int*>(inoutvec)[i] += static_cast<const int*>(invec)[i] + number;
}

void refuse(const void*, void*, int, const MPI::Datatype&) { throw std::domain_error("no such sum"); }

void an_operation_of_the_program_keeps_its_order() {
  MPI::Datatype pair = MPI::LONG.Create_contiguous(2);
  pair.Commit();
  MPI::Op op;
  op.Init(compose, false);
  EXPECT(!op.Is_commutative() && op != MPI::OP_NULL);
  const int rank = MPI::COMM_WORLD.Get_rank(), size = MPI::COMM_WORLD.Get_size();
  const long mine[] = {2, rank + 1};
  long found[] = {0, 0}, expected[] = {1, 0};
  for (int i = 0; i < size; ++i) {
    const long next[] = {2, i + 1};
    expected[1] = next[1] + next[0] * expected[1];
    expected[0] *= 2;
  }
  MPI::COMM_WORLD.Allreduce(mine, found, 1, pair, op);
  EXPECT(found[0] == expected[0] && found[1] == expected[1]);
  op.Free();
  EXPECT(op == MPI::OP_NULL);
  pair.Free();
}

template <int number>
void expect_mark() {
  MPI::Op op;
  op.Init(add_and_mark<number>, true);
  int in = 10, inout = 1;
  op.Reduce_local(&in, &inout, 1, MPI::INT);
  EXPECT(inout == 11 + number);
  op.Free();
}

void each_of_many_functions_is_called_by_its_own_operation() {
  expect_mark<1>();
  expect_mark<2>();
  MPI::Op first, second;
  first.Init(add_and_mark<1>, true);
  second.Init(add_and_mark<3>, true);
  for (int again = 0; again < 1000; ++again) {  // more operations than there may be functions
    MPI::Op op;
    op.Init(add_and_mark<1>, true);
    op.Free();
  }
  int in = 0, one = 0, two = 0;
  first.Reduce_local(&in, &one, 1, MPI::INT);
  second.Reduce_local(&in, &two, 1, MPI::INT);
  EXPECT(one == 1 && two == 3);
  first.Free();
  second.Free();
}

void an_operation_that_throws_throws_in_the_reduction() {
  if (MPI::COMM_WORLD.Get_size() == 1) return;  // nothing is combined
  MPI::Op op;
  op.Init(refuse, true);
  int value = 1, sum = 0;
  bool caught = false;
  try {
    op.Reduce_local(&value, &sum, 1, MPI::INT);
  } catch (const std::domain_error& exception) {
    caught = std::strcmp(exception.what(), "no such sum") == 0;
  }
  EXPECT(caught);
  op.Free();
}

void predefined_types_of_cxx_are_reduced() {
  const int size = MPI::COMM_WORLD.Get_size(), rank = MPI::COMM_WORLD.Get_rank();
  const std::complex<double> mine(rank, 1);
  std::complex<double> sum;
  MPI::COMM_WORLD.Allreduce(&mine, &sum, 1, MPI::DOUBLE_COMPLEX, MPI::SUM);
  EXPECT(sum == std::complex<double>(size * (size - 1) / 2, size));
  const bool is_first = rank == 0;
  bool all = true, any = false;
  MPI::COMM_WORLD.Allreduce(&is_first, &all, 1, MPI::BOOL, MPI::LAND);
  MPI::COMM_WORLD.Allreduce(&is_first, &any, 1, MPI::BOOL, MPI::LOR);
  EXPECT(any && all == (size == 1));
  struct {
    double value;
    int index;
  } in = {-1.0 * rank, rank}, out = {0, 0};
  MPI::COMM_WORLD.Allreduce(&in, &out, 1, MPI::DOUBLE_INT, MPI::MINLOC);
  EXPECT(out.index == size - 1);
}

void every_collective_arrives() {
  const int size = MPI::COMM_WORLD.Get_size(), rank = MPI::COMM_WORLD.Get_rank();
  std::vector<int> all(static_cast<std::size_t>(size), -1), counts(all.size(), 1), places(all.size());
  for (int i = 0; i < size; ++i) places[static_cast<std::size_t>(i)] = i;
  std::vector<int> const expected = places;
  MPI::COMM_WORLD.Barrier();
  MPI::COMM_WORLD.Allgather(&rank, 1, MPI::INT, all.data(), 1, MPI::INT);
  EXPECT(all == expected);
  all.assign(all.size(), -1);
  MPI::COMM_WORLD.Allgatherv(&rank, 1, MPI::INT, all.data(), counts.data(), places.data(), MPI::INT);
  EXPECT(all == expected);
  int value = rank == 0 ? 42 : 0, mine = -1;
  MPI::COMM_WORLD.Bcast(&value, 1, MPI::INT, 0);
  EXPECT(value == 42);
  MPI::COMM_WORLD.Scatter(expected.data(), 1, MPI::INT, &mine, 1, MPI::INT, 0);
  EXPECT(mine == rank);
  MPI::COMM_WORLD.Scatterv(expected.data(), counts.data(), places.data(), MPI::INT, &mine, 1, MPI::INT, 0);
  EXPECT(mine == rank);
  all.assign(all.size(), -1);
  MPI::COMM_WORLD.Gather(&rank, 1, MPI::INT, all.data(), 1, MPI::INT, 0);
  EXPECT(rank != 0 || all == expected);
  MPI::COMM_WORLD.Gatherv(&rank, 1, MPI::INT, all.data(), counts.data(), places.data(), MPI::INT, 0);
  EXPECT(rank != 0 || all == expected);
  std::vector<int> ranks(all.size(), rank);
  MPI::COMM_WORLD.Alltoall(ranks.data(), 1, MPI::INT, all.data(), 1, MPI::INT);
  EXPECT(all == expected);
  all.assign(all.size(), -1);
  MPI::COMM_WORLD.Alltoallv(ranks.data(), counts.data(), places.data(), MPI::INT, all.data(), counts.data(),
                            places.data(), MPI::INT);
  EXPECT(all == expected);
  std::vector<int> bytes(all.size());
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<int>(i * sizeof(int));
  const std::vector<MPI::Datatype> types(all.size(), MPI::INT);
  all.assign(all.size(), -1);
  MPI::COMM_WORLD.Alltoallw(ranks.data(), counts.data(), bytes.data(), types.data(), all.data(), counts.data(),
                            bytes.data(), types.data());
  EXPECT(all == expected);
  int sum = -1;
  MPI::COMM_WORLD.Reduce(&rank, &sum, 1, MPI::INT, MPI::SUM, 0);
  EXPECT(rank != 0 || sum == size * (size - 1) / 2);
  MPI::COMM_WORLD.Scan(&rank, &sum, 1, MPI::INT, MPI::SUM);
  EXPECT(sum == rank * (rank + 1) / 2);
  MPI::COMM_WORLD.Exscan(&rank, &sum, 1, MPI::INT, MPI::SUM);
  EXPECT(rank == 0 || sum == rank * (rank - 1) / 2);
  MPI::COMM_WORLD.Reduce_scatter(ranks.data(), &sum, counts.data(), MPI::INT, MPI::SUM);
  EXPECT(sum == size * (size - 1) / 2);
  MPI::COMM_WORLD.Reduce_scatter_block(ranks.data(), &sum, 1, MPI::INT, MPI::MAX);
  EXPECT(sum == size - 1);
}

}  // namespace

int main() {
  return run(an_operation_of_the_program_keeps_its_order, each_of_many_functions_is_called_by_its_own_operation,
             an_operation_that_throws_throws_in_the_reduction, predefined_types_of_cxx_are_reduced,
             every_collective_arrives);
}
