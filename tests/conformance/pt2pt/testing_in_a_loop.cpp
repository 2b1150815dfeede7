// A program that calls MPI_Test or MPI_Iprobe in a loop must not keep from its core whoever has to act before the
// call can succeed: another rank where ranks outnumber cores, another thread of the same rank. Where it does, each
// step below costs a time slice of the scheduler, some milliseconds, and a test runs into its time limit.
#include <thread>

#include "support/ranks.hpp"

using namespace conformance;

namespace {

constexpr int kTag = 1, kEnd = 2;

void test_until_done(MPI_Request* request) {
  for (int done = 0; done == 0;) MPI_Test(request, &done, MPI_STATUS_IGNORE);
}

void probe_until_there(int source, int tag) {
  for (int there = 0; there == 0;) MPI_Iprobe(source, tag, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
}

// A token goes round; everybody receives it with `receive`.
template <class Receive>
void pass_round(int rounds, Receive receive) {
  const int next = (rank() + 1) % size(), previous = (rank() + size() - 1) % size();
  for (int round = 0; round < rounds; ++round) {
    int token = round;
    MPI_Request sent = MPI_REQUEST_NULL;
    if (rank() == 0) MPI_Isend(&token, 1, MPI_INT, next, kTag, MPI_COMM_WORLD, &sent);
    int got = -1;
    receive(&got, previous);
    expect_equal(got, round, "the token");
    if (rank() != 0) MPI_Isend(&token, 1, MPI_INT, next, kTag, MPI_COMM_WORLD, &sent);
    MPI_Wait(&sent, MPI_STATUS_IGNORE);
  }
}

void ranks_that_test_let_others_run() {
  pass_round(200, [](int* token, int previous) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Irecv(token, 1, MPI_INT, previous, kTag, MPI_COMM_WORLD, &request);
    test_until_done(&request);
  });
}

void ranks_that_probe_let_others_run() {
  pass_round(200, [](int* token, int previous) {
    probe_until_there(previous, kTag);
    MPI_Recv(token, 1, MPI_INT, previous, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  });
}

// Each rank exchanges messages with its neighbours while another thread of it does `wait_for_the_end`.
template <class WaitForTheEnd>
void exchange_beside(WaitForTheEnd wait_for_the_end) {
  std::thread other([&] { wait_for_the_end(); });
  pass_round(6000 / size(), [](int* token, int previous) {
    MPI_Recv(token, 1, MPI_INT, previous, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  });
  MPI_Send(nullptr, 0, MPI_INT, rank(), kEnd, MPI_COMM_WORLD);
  other.join();
}

void receive_the_end() { MPI_Recv(nullptr, 0, MPI_INT, rank(), kEnd, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }

void a_thread_that_tests_lets_another_communicate() {
  exchange_beside([] {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Irecv(nullptr, 0, MPI_INT, rank(), kEnd, MPI_COMM_WORLD, &request);
    test_until_done(&request);
  });
}

void a_thread_that_probes_lets_another_communicate() {
  exchange_beside([] {
    probe_until_there(rank(), kEnd);
    receive_the_end();
  });
}

void a_thread_that_waits_lets_another_communicate() { exchange_beside(receive_the_end); }

}  // namespace

int main() {
  return run({{"ranks that test let others run", ranks_that_test_let_others_run},
              {"ranks that probe let others run", ranks_that_probe_let_others_run},
              {"a thread that tests lets another communicate", a_thread_that_tests_lets_another_communicate},
              {"a thread that probes lets another communicate", a_thread_that_probes_lets_another_communicate},
              {"a thread that waits lets another communicate", a_thread_that_waits_lets_another_communicate}},
             MPI_THREAD_MULTIPLE);
}
