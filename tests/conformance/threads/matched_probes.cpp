// Threads that probe for the same messages: each gets some, nobody gets another's: MPI 5.0, 3.8.2.
#include <atomic>
#include <thread>
#include <vector>

#include "support/messages.hpp"
#include "support/ranks.hpp"

using namespace conformance;

namespace {

constexpr int kThreads = 4, kEach = 40;

int bytes_of(int number) { return kSizes[static_cast<std::size_t>(number) % std::size(kSizes)]; }

// Message `number` has that tag and a length of its own. With a plain probe the length would be that of another
// message, now and then.
void every_message_is_received_once() {
  const int next = (rank() + 1) % size(), previous = (rank() + size() - 1) % size();
  std::vector<std::atomic<int>> received(kThreads * kEach);
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread)
    threads.emplace_back([&, thread] {
      for (int i = 0; i < kEach; ++i) {
        const int number = thread * kEach + i;
        const Message out = message(bytes_of(number), rank(), number);
        MPI_Request sent;
        MPI_Isend(out.data(), bytes_of(number), MPI_BYTE, next, number, MPI_COMM_WORLD, &sent);
        MPI_Message found = MPI_MESSAGE_NULL;
        MPI_Status status;
        int flag = i % 2;
        if (i % 2 == 1) MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &found, &status);
        while (flag == 0) MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &found, &status);
        int bytes = -1;
        MPI_Get_count(&status, MPI_BYTE, &bytes);
        Message in(static_cast<std::size_t>(bytes));
        expect_error(MPI_Mrecv(in.data(), bytes, MPI_BYTE, &found, &status), MPI_SUCCESS, "MPI_Mrecv");
        expect_equal(bytes, bytes_of(status.MPI_TAG), "the length");
        expect(in == message(bytes, previous, status.MPI_TAG), "wrong content");
        ++received[static_cast<std::size_t>(status.MPI_TAG)];
        MPI_Wait(&sent, MPI_STATUS_IGNORE);
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (const std::atomic<int>& times : received) expect_equal(times.load(), 1, "how often a message was received");
}

}  // namespace

int main() { return run({{"every message is received once", every_message_is_received_once}}, MPI_THREAD_MULTIPLE); }
