// Threads with a communicator each send and receive without waiting for each other, and everything else goes on as
// ever: short messages beside long ones, tests, truncation, requests and communicators freed early. MPI 5.0, 11.6.
#include <chrono>
#include <thread>
#include <vector>

#include "support/messages.hpp"
#include "support/ranks.hpp"

using namespace conformance;

namespace {

constexpr int kThreads = 5, kTag = 3;

int next() { return (rank() + 1) % size(); }
int previous() { return (rank() + size() - 1) % size(); }

// body(thread, comm), each in a thread of its own.
template <class Body>
void with_communicators(Body body) {
  std::vector<MPI_Comm> comms(kThreads);
  for (MPI_Comm& comm : comms) {
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  }
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back([&, i] { body(i, comms[static_cast<std::size_t>(i)]); });
  for (std::thread& thread : threads) thread.join();
  for (MPI_Comm& comm : comms)
    if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
}

int number_of(int thread, int round) { return thread * 100'000 + round; }

// Short ones only, in order: posted before they come, and after.
void windows_of_short_messages() {
  with_communicators([](int thread, MPI_Comm comm) {
    constexpr int kWindow = 50;
    for (int round = 0; round < 40; ++round) {
      std::vector<int> in(kWindow, -1);
      std::vector<int> out(kWindow);
      std::vector<MPI_Request> requests;
      const auto receive = [&] {
        for (int& value : in)
          MPI_Irecv(&value, 1, MPI_INT, previous(), kTag, comm, &requests.emplace_back(MPI_REQUEST_NULL));
      };
      if (round % 2 == 0) receive();
      for (int i = 0; i < kWindow; ++i) {
        out[static_cast<std::size_t>(i)] = number_of(thread, round * kWindow + i);
        MPI_Isend(&out[static_cast<std::size_t>(i)], 1, MPI_INT, next(), kTag, comm,
                  &requests.emplace_back(MPI_REQUEST_NULL));
      }
      if (round % 2 == 1) receive();
      std::vector<MPI_Status> statuses(requests.size());
      expect_error(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), statuses.data()), MPI_SUCCESS,
                   "MPI_Waitall");
      for (int i = 0; i < kWindow; ++i)
        expect_equal(in[static_cast<std::size_t>(i)], number_of(thread, round * kWindow + i), "what came");
      for (const MPI_Request request : requests) expect(request == MPI_REQUEST_NULL, "a handle is left");
    }
  });
}

// Short ones, by the hundred, of which some ranks may be ahead of others.
void collectives() {
  with_communicators([](int thread, MPI_Comm comm) {
    const int last = size() - 1;
    for (int round = 0; round < 300; ++round) {
      const int mine = number_of(thread, round) + rank();
      int sum = 0, told = rank() == round % size() ? mine : -1;
      MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm);
      expect_equal(sum, size() * number_of(thread, round) + last * size() / 2, "a sum");
      MPI_Bcast(&told, 1, MPI_INT, round % size(), comm);
      expect_equal(told, number_of(thread, round) + round % size(), "what was told");
      if (round % 3 == thread % 3) MPI_Barrier(comm);
    }
  });
}

// Uses MPI, while other threads are in it.
void add(void* given, void* result, int* count, MPI_Datatype*) {
  const int out = 7;
  int in = 0;
  MPI_Sendrecv(&out, 1, MPI_INT, 0, kTag, &in, 1, MPI_INT, 0, kTag, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  expect_equal(in, out, "what a rank sends itself");
  for (int i = 0; i < *count; ++i) static_cast<int*>(result)[i] += static_cast<int*>(given)[i];
}

// Short and long, of which one is under way when the next begins.
void collectives_by_an_operation_of_the_users() {
  MPI_Op op;
  MPI_Op_create(add, 1, &op);
  with_communicators([op](int thread, MPI_Comm comm) {
    for (int round = 0; round < 5; ++round)
      for (const int count : {3, 3000}) {
        const std::vector<int> mine(static_cast<std::size_t>(count), number_of(thread, round) + rank());
        std::vector<int> sum(mine.size()), until_me(mine.size()), all(mine.size() * static_cast<std::size_t>(size()));
        MPI_Request request;
        MPI_Iallreduce(mine.data(), sum.data(), count, MPI_INT, op, comm, &request);
        MPI_Allgather(mine.data(), count, MPI_INT, all.data(), count, MPI_INT, comm);
        MPI_Scan(mine.data(), until_me.data(), count, MPI_INT, op, comm);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        const auto sum_of = [&](int ranks) { return ranks * number_of(thread, round) + ranks * (ranks - 1) / 2; };
        expect_equal(sum.back(), sum_of(size()), "a sum");
        expect_equal(until_me.back(), sum_of(rank() + 1), "a sum up to a rank");
        expect_equal(all.back(), number_of(thread, round) + size() - 1, "what was gathered");
      }
  });
  MPI_Op_free(&op);
}

// Blocking, with wildcards, and of every protocol.
void all_sizes_in_turn() {
  with_communicators([](int thread, MPI_Comm comm) {
    for (int round = 0; round < 4; ++round)
      for (const int bytes : kSizes) {
        const Message out = message(bytes, rank() + thread, round);
        Message in(out.size());
        MPI_Request sent;
        MPI_Status status;
        MPI_Isend(out.data(), bytes, MPI_BYTE, next(), round, comm, &sent);
        const bool any = round % 2 == 1;
        expect_error(MPI_Recv(in.data(), bytes, MPI_BYTE, any ? MPI_ANY_SOURCE : previous(),
                              any ? MPI_ANY_TAG : round, comm, &status),
                     MPI_SUCCESS, "MPI_Recv");
        expect_status(status, previous(), round, bytes);
        expect(in == message(bytes, previous() + thread, round), "wrong content");
        MPI_Wait(&sent, MPI_STATUS_IGNORE);
      }
  });
}

void testing_until_it_is_there() {
  with_communicators([](int thread, MPI_Comm comm) {
    for (int round = 0; round < 200; ++round) {
      const int out = number_of(thread, round);
      int in = -1;
      MPI_Request request;
      MPI_Irecv(&in, 1, MPI_INT, previous(), kTag, comm, &request);
      MPI_Send(&out, 1, MPI_INT, next(), kTag, comm);
      MPI_Status status;
      for (int flag = 0; flag == 0;) MPI_Test(&request, &flag, &status);
      expect_status(status, previous(), kTag, sizeof in);
      expect_equal(in, number_of(thread, round), "what came");
    }
  });
}

// Errors come from the same calls as ever, to the thread whose they are.
void messages_that_do_not_fit() {
  with_communicators([](int thread, MPI_Comm comm) {
    for (int round = 0; round < 50; ++round) {
      const int out[2] = {number_of(thread, round), 0};
      int in = -1;
      MPI_Request request;
      MPI_Irecv(&in, 1, MPI_INT, previous(), kTag, comm, &request);
      MPI_Send(out, 2, MPI_INT, next(), kTag, comm);
      MPI_Send(out, 2, MPI_INT, next(), kTag, comm);
      expect_error(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_ERR_TRUNCATE, "MPI_Wait");
      expect_error(MPI_Recv(&in, 1, MPI_INT, previous(), kTag, comm, MPI_STATUS_IGNORE), MPI_ERR_TRUNCATE,
                   "MPI_Recv");
      expect_error(MPI_Recv(&in, -1, MPI_INT, previous(), kTag, comm, MPI_STATUS_IGNORE), MPI_ERR_COUNT, "MPI_Recv");
    }
  });
}

// The request of a receive, and the communicator of another, are freed while the messages are on their way.
void freed_early() {
  for (int round = 0; round < 20; ++round)
    with_communicators([](int thread, MPI_Comm& comm) {
      static int in[kThreads][2];
      const int out = number_of(thread, 1);
      MPI_Request freed, kept;
      MPI_Irecv(&in[thread][0], 1, MPI_INT, previous(), 1, comm, &freed);
      MPI_Irecv(&in[thread][1], 1, MPI_INT, previous(), 2, comm, &kept);
      MPI_Send(&out, 1, MPI_INT, next(), 1, comm);
      MPI_Request_free(&freed);
      MPI_Send(&out, 1, MPI_INT, next(), 2, comm);
      MPI_Comm_free(&comm);
      MPI_Wait(&kept, MPI_STATUS_IGNORE);
      expect_equal(in[thread][1], out, "what came");
    });
}

// More than a ring holds, to one that receives them in the wrong order.
void floods() {
  with_communicators([](int thread, MPI_Comm comm) {
    constexpr int kMany = 1000;
    std::vector<int> out(kMany);
    std::vector<MPI_Request> requests(kMany);
    for (int i = 0; i < kMany; ++i) {
      const auto index = static_cast<std::size_t>(i);
      out[index] = number_of(thread, i);
      MPI_Isend(&out[index], 1, MPI_INT, next(), i, comm, &requests[index]);
    }
    for (int i = kMany - 1; i >= 0; --i) {
      int in = -1;
      MPI_Recv(&in, 1, MPI_INT, previous(), i, comm, MPI_STATUS_IGNORE);
      expect_equal(in, number_of(thread, i), "what came");
    }
    MPI_Waitall(kMany, requests.data(), MPI_STATUSES_IGNORE);
  });
}

// A thread that polls finishes what others wait for, asleep.
void one_awakes_the_others() {
  with_communicators([](int thread, MPI_Comm comm) {
    for (int round = 0; round < 20; ++round) {
      int token = -1;
      if (thread == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      if (rank() == 0) {
        MPI_Send(&round, 1, MPI_INT, next(), kTag, comm);
        MPI_Recv(&token, 1, MPI_INT, previous(), kTag, comm, MPI_STATUS_IGNORE);
      } else {
        MPI_Recv(&token, 1, MPI_INT, previous(), kTag, comm, MPI_STATUS_IGNORE);
        MPI_Send(&token, 1, MPI_INT, next(), kTag, comm);
      }
      expect_equal(token, round, "the token");
      MPI_Barrier(comm);
    }
  });
}

}  // namespace

int main() {
  return run({{"windows of short messages", windows_of_short_messages},
              {"short collectives, each on its communicator", collectives},
              {"collectives by an operation of the user's", collectives_by_an_operation_of_the_users},
              {"all sizes in turn", all_sizes_in_turn},
              {"testing until it is there", testing_until_it_is_there},
              {"messages that do not fit", messages_that_do_not_fit},
              {"freed early", freed_early},
              {"floods", floods},
              {"one awakes the others", one_awakes_the_others}},
             MPI_THREAD_MULTIPLE);
}
