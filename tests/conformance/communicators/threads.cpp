// Threads of one process that construct communicators at the same time.
#include <thread>
#include <vector>

#include "support/ranks.hpp"

using namespace conformance;

namespace {

constexpr int kThreads = 4, kRounds = 100;

template <class Body>
void in_threads(Body body) {
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back([=] { body(i); });
  for (std::thread& thread : threads) thread.join();
}

void check_sum(MPI_Comm comm, int members) {
  int sum = 0;
  const int one = 1;
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
  expect_equal(sum, members, "the sum");
}

// All over one parent: the tag tells the threads apart. Thread i's group lacks rank i.
void from_overlapping_groups() {
  MPI_Group world;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  in_threads([&](int thread) {
    MPI_Group group;
    const int left_out = thread % size();
    MPI_Group_excl(world, 1, &left_out, &group);
    if (rank() != left_out)
      for (int round = 0; round < kRounds; ++round) {
        MPI_Comm comm;
        MPI_Comm_create_group(MPI_COMM_WORLD, group, thread, &comm);
        check_sum(comm, size() - 1);
        MPI_Comm_free(&comm);
      }
    MPI_Group_free(&group);
  });
  MPI_Group_free(&world);
}

// Each over a parent of its own.
void from_parents_of_their_own() {
  std::vector<MPI_Comm> parents(kThreads);
  for (MPI_Comm& parent : parents) MPI_Comm_dup(MPI_COMM_WORLD, &parent);
  in_threads([&](int thread) {
    const MPI_Comm parent = parents[static_cast<std::size_t>(thread)];
    for (int round = 0; round < kRounds; ++round) {
      MPI_Comm dup, split, later;
      MPI_Request request;
      MPI_Comm_idup(parent, &later, &request);
      MPI_Comm_dup(parent, &dup);
      MPI_Comm_split(dup, 0, -rank(), &split);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      check_sum(split, size());
      check_sum(later, size());
      for (MPI_Comm comm : {dup, split, later}) MPI_Comm_free(&comm);
    }
  });
  for (MPI_Comm& parent : parents) MPI_Comm_free(&parent);
}

// Without any parent: the string tells the threads apart.
void from_groups_alone() {
  MPI_Group world;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  in_threads([&](int thread) {
    const std::string name = "thread " + std::to_string(thread);
    for (int round = 0; round < kRounds; ++round) {
      MPI_Comm comm;
      MPI_Comm_create_from_group(world, name.c_str(), MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
      check_sum(comm, size());
      MPI_Comm_free(&comm);
    }
  });
  MPI_Group_free(&world);
}

}  // namespace

int main() {
  return run({{"over one parent, by groups that overlap", from_overlapping_groups},
              {"over parents of their own", from_parents_of_their_own},
              {"over no parent at all", from_groups_alone}},
             MPI_THREAD_MULTIPLE);
}
