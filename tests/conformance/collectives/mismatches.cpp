// Ranks that do not agree on how much a collective moves, or on which one they are in, are told so instead of being
// given what was not sent (MPI 5.0, 6.1: amounts must match). And one whose call fails because of its own arguments
// lets nobody wait: the others are told which rank it was and why.
#include <functional>
#include <string>
#include <vector>

#include "support/ranks.hpp"

using namespace conformance;

namespace {

void expect_failure(int returned, const std::string& what) {
  expect(returned != MPI_SUCCESS, what + " returned MPI_SUCCESS");
}

// Those who get less pass on nothing, so all who wait for it learn of it.
void a_root_that_broadcasts_less() {
  for (const bool waits : {true, false}) {
    std::vector<int> data(100, rank());
    const int count = rank() == 0 ? 60 : 100;
    int returned = MPI_SUCCESS;
    if (waits) {
      returned = MPI_Bcast(data.data(), count, MPI_INT, 0, MPI_COMM_WORLD);
    } else {
      MPI_Request request = MPI_REQUEST_NULL;
      expect_error(MPI_Ibcast(data.data(), count, MPI_INT, 0, MPI_COMM_WORLD, &request), MPI_SUCCESS, "MPI_Ibcast");
      returned = MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    if (rank() == 0)
      expect_error(returned, MPI_SUCCESS, "a broadcast on the root");
    else
      expect_failure(returned, "a broadcast of more than the root has");
  }
}

void ranks_that_give_less_than_the_root_gathers() {
  const int mine[] = {rank(), rank()};
  std::vector<int> all(static_cast<std::size_t>(2 * size()));
  const int returned = MPI_Gather(mine, rank() == 0 ? 2 : 1, MPI_INT, all.data(), 2, MPI_INT, 0, MPI_COMM_WORLD);
  if (rank() == 0 && size() > 1)
    expect_failure(returned, "MPI_Gather of more than the others give");
  else
    expect_error(returned, MPI_SUCCESS, "MPI_Gather of all that a rank has");
}

void a_barrier_and_an_allreduce() {
  double number = 1, sum = 0;
  expect_failure(rank() == 0 ? MPI_Barrier(MPI_COMM_WORLD)
                             : MPI_Allreduce(&number, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD),
                 rank() == 0 ? "MPI_Barrier against an allreduce" : "MPI_Allreduce against a barrier");
}

// Blocks of ints: in lines of a board, on its pages, and more than the pages of many ranks hold.
constexpr int kLengths[] = {1, 3, 1000, 40'000};

// One call by each rank, of which that of `wrong` has a mistake in it: it fails, and so do those who need its part.
// All are told `mistake`; where `named` is false, not by name, nor by ranks of other nodes.
struct Call {
  std::string name;
  std::function<int(int count, bool mistaken)> call;
  std::function<bool(int wrong, int rank)> needs;
  std::string mistake;
  bool named = true;
};

void expect_all_to_be_told(const Call& call, int count, int wrong) {
  const bool mistaken = rank() == wrong;
  const int returned = call.call(count, mistaken);
  const std::string where = call.name + " of " + std::to_string(count) + " ints, rank " + std::to_string(wrong) +
                            " of " + std::to_string(size()) + " mistaken, returned " +
                            (returned == MPI_SUCCESS ? "MPI_SUCCESS" : text_of(returned));
  if (mistaken || call.needs(wrong, rank())) {
    expect(returned != MPI_SUCCESS, where);
    const bool named = call.named && on_one_node();
    if (mistaken || named) expect(text_of(returned).find(call.mistake) != std::string::npos, where);
    if (!mistaken && named)
      expect(text_of(returned).find("rank " + std::to_string(wrong)) != std::string::npos, where);
  }
  const int mine = rank() + 1;
  int sum = 0;
  MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  expect_equal(sum, size() * (size() + 1) / 2, "the sum after " + where);
}

bool everybody(int, int) { return true; }
bool nobody(int, int) { return false; }
bool the_root(int, int rank) { return rank == 0; }

std::vector<int> ints(int number) { return std::vector<int>(static_cast<std::size_t>(number), 7); }

const std::vector<Call>& calls() {
  // What is undefined for integers, and where nothing is.
  static const auto op = [](bool mistaken) { return mistaken ? MPI_MAXLOC : MPI_SUM; };
  static const auto no_op = "op=MPI_MAXLOC is not defined";
  static const std::vector<Call> kCalls{
      {"MPI_Bcast",
       [](int count, bool mistaken) {
         std::vector<int> data = ints(count);
         return MPI_Bcast(mistaken ? nullptr : data.data(), count, MPI_INT, 0, MPI_COMM_WORLD);
       },
       [](int wrong, int) { return wrong == 0; }, "buffer"},
      {"MPI_Reduce",
       [](int count, bool mistaken) {
         std::vector<int> mine = ints(count), sum = ints(count);
         return MPI_Reduce(mine.data(), sum.data(), count, MPI_INT, op(mistaken), 0, MPI_COMM_WORLD);
       },
       the_root, no_op},
      {"MPI_Allreduce",
       [](int count, bool mistaken) {
         std::vector<int> mine = ints(count), sum = ints(count);
         return MPI_Allreduce(mine.data(), sum.data(), count, MPI_INT, op(mistaken), MPI_COMM_WORLD);
       },
       everybody, no_op},
      {"MPI_Reduce_scatter_block",
       [](int count, bool mistaken) {
         std::vector<int> mine = ints(count * size()), sum = ints(count);
         return MPI_Reduce_scatter_block(mine.data(), sum.data(), count, MPI_INT, op(mistaken), MPI_COMM_WORLD);
       },
       everybody, no_op},
      {"MPI_Scan",
       [](int count, bool mistaken) {
         std::vector<int> mine = ints(count), sum = ints(count);
         return MPI_Scan(mine.data(), sum.data(), count, MPI_INT, op(mistaken), MPI_COMM_WORLD);
       },
       [](int wrong, int rank) { return rank > wrong; }, no_op},
      {"MPI_Gather",
       [](int count, bool mistaken) {
         std::vector<int> mine = ints(count), all = ints(count * size());
         return MPI_Gather(mine.data(), count, MPI_INT, all.data(), mistaken ? count - 1 : count, MPI_INT, 0,
                           MPI_COMM_WORLD);
       },
       nobody, "recvcount="},
      {"MPI_Scatter",
       [](int count, bool mistaken) {
         std::vector<int> mine = ints(count), all = ints(count * size());
         return MPI_Scatter(all.data(), mistaken ? count - 1 : count, MPI_INT, mine.data(), count, MPI_INT, 0,
                            MPI_COMM_WORLD);
       },
       [](int wrong, int) { return wrong == 0; }, "sendcount="},
      {"MPI_Allgather",
       [](int count, bool mistaken) {
         std::vector<int> mine = ints(count), all = ints(count * size());
         return MPI_Allgather(mine.data(), mistaken ? count - 1 : count, MPI_INT, all.data(), count, MPI_INT,
                              MPI_COMM_WORLD);
       },
       everybody, "sendcount="},
      {"MPI_Alltoall",
       [](int count, bool mistaken) {
         std::vector<int> out = ints((count + 1) * size()), in = ints(count * size());
         return MPI_Alltoall(out.data(), mistaken ? count + 1 : count, MPI_INT, in.data(), count, MPI_INT,
                             MPI_COMM_WORLD);
       },
       everybody, "sendcount="},
      {"MPI_Iallreduce",
       [](int count, bool mistaken) {
         std::vector<int> mine = ints(count), sum = ints(count);
         MPI_Request request = MPI_REQUEST_NULL;
         const int begun =
             MPI_Iallreduce(mine.data(), sum.data(), count, MPI_INT, op(mistaken), MPI_COMM_WORLD, &request);
         return begun == MPI_SUCCESS ? MPI_Wait(&request, MPI_STATUS_IGNORE) : begun;
       },
       everybody, no_op, false},
      {"MPI_Iallgather",
       [](int count, bool mistaken) {
         std::vector<int> mine = ints(count), all = ints(count * size());
         MPI_Request request = MPI_REQUEST_NULL;
         const int begun = MPI_Iallgather(mine.data(), mistaken ? count - 1 : count, MPI_INT, all.data(), count,
                                          MPI_INT, MPI_COMM_WORLD, &request);
         return begun == MPI_SUCCESS ? MPI_Wait(&request, MPI_STATUS_IGNORE) : begun;
       },
       everybody, "sendcount=", false}};
  return kCalls;
}

// Of the rooted ones, a mistake in blocks is one that only the root can see.
void a_rank_that_is_mistaken() {
  for (const Call& call : calls()) {
    const bool at_the_root = call.name == "MPI_Gather" || call.name == "MPI_Scatter" || call.name == "MPI_Bcast";
    for (const int count : kLengths)
      for (int time = 0; time < 2; ++time) {  // the first ones before there are pages
        if (is_simulated() && count > 1000) continue;
        expect_all_to_be_told(call, count, 0);
        if (!at_the_root) expect_all_to_be_told(call, count, size() - 1);
      }
  }
}

// All make the same mistake, and nobody waits for anybody.
void all_are_mistaken() {
  for (const Call& call : calls())
    if (call.name != "MPI_Gather" && call.name != "MPI_Scatter")
      for (const int count : {1, 1000}) expect_failure(call.call(count, true), call.name + " by all");
}

// A root that has named one buffer twice takes no part, and may call again.
void a_root_that_uses_a_buffer_twice() {
  const int mine = rank() + 1;
  std::vector<int> all(static_cast<std::size_t>(size()));
  if (rank() == 0)
    expect_error(MPI_Gather(all.data(), 1, MPI_INT, all.data(), 1, MPI_INT, 0, MPI_COMM_WORLD), MPI_ERR_BUFFER,
                 "MPI_Gather within one buffer");
  expect_error(MPI_Gather(&mine, 1, MPI_INT, all.data(), 1, MPI_INT, 0, MPI_COMM_WORLD), MPI_SUCCESS, "MPI_Gather");
  for (int from = 0; rank() == 0 && from < size(); ++from)
    expect_equal(all[static_cast<std::size_t>(from)], from + 1,
                 "what was gathered from rank " + std::to_string(from));
}

// One rank has no request to start, so the others do not start theirs; what all call afterwards finds its messages.
void a_persistent_one_that_one_rank_cannot_make() {
  std::vector<int> mine = ints(1000), sum = ints(1000);
  MPI_Request request = MPI_REQUEST_NULL;
  const int made = MPI_Allreduce_init(mine.data(), sum.data(), 1000, MPI_INT, rank() == 0 ? MPI_MAXLOC : MPI_SUM,
                                      MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  expect_error(made, rank() == 0 ? MPI_ERR_OP : MPI_SUCCESS, "MPI_Allreduce_init");
  if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
  expect_error(MPI_Iallreduce(mine.data(), sum.data(), 1000, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request), MPI_SUCCESS,
               "MPI_Iallreduce");
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  expect_equal(sum.back(), 7 * size(), "the sum");
}

void what_comes_next_is_not_disturbed() {
  const int mine = rank() + 1;
  int sum = 0;
  MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  expect_equal(sum, size() * (size() + 1) / 2, "the sum");
}

}  // namespace

int main() {
  return run(
      {{"a root that broadcasts less than the others expect", a_root_that_broadcasts_less},
       {"ranks that give less than the root gathers", ranks_that_give_less_than_the_root_gathers},
       {"a barrier on one rank, an allreduce on the other", a_barrier_and_an_allreduce, {.least = 2, .most = 2}},
       {"a rank that is mistaken, and all others are told", a_rank_that_is_mistaken},
       {"a root that uses a buffer twice", a_root_that_uses_a_buffer_twice},
       {"a persistent one that one rank cannot make", a_persistent_one_that_one_rank_cannot_make},
       {"what comes next is not disturbed", what_comes_next_is_not_disturbed},
       // Last, so that MPI_Finalize has to end what those leave that do not block.
       {"all are mistaken", all_are_mistaken}});
}
