// Threads that communicate at the same time, each as if it were alone: MPI 5.0, 11.6.
#include <atomic>
#include <thread>
#include <vector>

#include "support/messages.hpp"
#include "support/ranks.hpp"

using namespace conformance;

namespace {

constexpr int kThreads = 4;

template <class Body>
void in_threads(Body body) {
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back(body, i);
  for (std::thread& thread : threads) thread.join();
}

// Every thread exchanges messages of all sizes with the thread of its number in the next rank.
void exchange(int thread, MPI_Comm comm, int tag) {
  const int next = (rank() + 1) % size(), previous = (rank() + size() - 1) % size();
  for (int round = 0; round < 5; ++round)
    for (const int bytes : kSizes) {
      const Message out = message(bytes, rank() + thread, round);
      Message in(out.size());
      MPI_Request requests[2];
      MPI_Irecv(in.data(), bytes, MPI_BYTE, previous, tag, comm, &requests[0]);
      MPI_Isend(out.data(), bytes, MPI_BYTE, next, tag, comm, &requests[1]);
      MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
      expect(in == message(bytes, previous + thread, round), "wrong content");
    }
}

void with_tags_of_their_own() {
  in_threads([](int thread) { exchange(thread, MPI_COMM_WORLD, thread); });
}

void with_communicators_of_their_own() {
  std::vector<MPI_Comm> comms(kThreads);
  for (MPI_Comm& comm : comms) MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  in_threads([&](int thread) {
    const MPI_Comm comm = comms[static_cast<std::size_t>(thread)];
    exchange(thread, comm, 0);
    for (int round = 0; round < 50; ++round) {
      const int mine = rank() + thread;
      int sum = 0;
      MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm);
      expect_equal(sum, size() * (size() - 1) / 2 + size() * thread, "the sum");
    }
  });
  for (MPI_Comm& comm : comms) MPI_Comm_free(&comm);
}

// One thread starts what another waits for.
void waiting_for_what_another_started() {
  constexpr int kCount = 200;
  std::vector<int> in(kCount, -1);
  std::vector<MPI_Request> requests(kCount);
  for (int i = 0; i < kCount; ++i) {
    const auto index = static_cast<std::size_t>(i);
    MPI_Irecv(&in[index], 1, MPI_INT, MPI_ANY_SOURCE, i, MPI_COMM_WORLD, &requests[index]);
  }
  std::thread sender([] {
    for (int i = 0; i < kCount; ++i) MPI_Send(&i, 1, MPI_INT, (rank() + 1) % size(), i, MPI_COMM_WORLD);
  });
  MPI_Waitall(kCount, requests.data(), MPI_STATUSES_IGNORE);
  sender.join();
  for (int i = 0; i < kCount; ++i) expect_equal(in[static_cast<std::size_t>(i)], i, "what came");
}

// A rank's threads wake each other, although no other rank rings.
void talking_to_themselves() {
  in_threads([](int thread) {
    const int partner = thread ^ 1;
    for (int round = 0; round < 500; ++round) {
      int got = -1;
      if (thread % 2 == 0) {
        MPI_Send(&round, 1, MPI_INT, rank(), partner, MPI_COMM_WORLD);
        MPI_Recv(&got, 1, MPI_INT, rank(), thread, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      } else {
        MPI_Recv(&got, 1, MPI_INT, rank(), thread, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&round, 1, MPI_INT, rank(), partner, MPI_COMM_WORLD);
      }
      expect_equal(got, round, "the round");
    }
  });
}

// Threads that only compute, more than there are cores, do not hold up the one that communicates for a time slice at
// each look at the transports.
void beside_others_that_compute() {
  const int next = (rank() + 1) % size(), previous = (rank() + size() - 1) % size();
  std::atomic<bool> over = false;
  std::vector<std::thread> computing;
  for (int i = 0; i < kThreads; ++i)
    computing.emplace_back([&] {
      while (!over) {
      }
    });
  for (int round = 0; round < 200; ++round) {
    int got = -1;
    MPI_Request request;
    MPI_Irecv(&got, 1, MPI_INT, previous, 0, MPI_COMM_WORLD, &request);
    MPI_Send(&round, 1, MPI_INT, next, 0, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect_equal(got, round, "the round");
  }
  over = true;
  for (std::thread& thread : computing) thread.join();
}

// Threads come and go while others wait in MPI.
void coming_and_going() {
  const int next = (rank() + 1) % size(), previous = (rank() + size() - 1) % size();
  for (int round = 0; round < 200; ++round) {
    std::thread sender([=] { MPI_Send(&round, 1, MPI_INT, next, 0, MPI_COMM_WORLD); });
    int got = -1;
    MPI_Recv(&got, 1, MPI_INT, previous, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    expect_equal(got, round, "the round");
    sender.join();
  }
}

}  // namespace

int main() {
  return run({{"threads with tags of their own", with_tags_of_their_own},
              {"threads with communicators of their own", with_communicators_of_their_own},
              {"a thread waiting for what another started", waiting_for_what_another_started},
              {"threads talking to themselves", talking_to_themselves},
              {"a thread beside others that compute", beside_others_that_compute},
              {"threads coming and going", coming_and_going}},
             MPI_THREAD_MULTIPLE);
}
