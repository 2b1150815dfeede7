// Many ranks of one node that all talk: what they say arrives in order, and what a rank costs does not grow with the
// number of those who have talked as rings for each pair would.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "support/ranks.hpp"

using namespace conformance;

namespace {

constexpr int kTag = 3;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kMemoryIsOurs = false;
#else
constexpr bool kMemoryIsOurs = true;
#endif

// Of one field of a file in /proc/self.
double kib_in(const char* file, const char* field) {
  std::FILE* const from = std::fopen(file, "r");
  double kib = 0;
  char line[256];
  const std::size_t length = std::strlen(field);
  while (from && std::fgets(line, sizeof line, from))
    if (std::strncmp(line, field, length) == 0) kib = std::strtod(line + length, nullptr);
  if (from) std::fclose(from);
  return kib;
}

// What the rank costs the machine: its share of what several have, and its page tables.
double kib_of_this_rank() {
  return kib_in("/proc/self/smaps_rollup", "Pss:") + kib_in("/proc/self/status", "VmPTE:");
}

// How many more a rank needs for that, on average.
template <class Work>
double kib_more_for(Work&& work) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double before = kib_of_this_rank();
  work();
  MPI_Barrier(MPI_COMM_WORLD);
  double grown = kib_of_this_rank() - before, all = 0;
  MPI_Allreduce(&grown, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return all / size();
}

void expect_less(double kib, double most, const char* what) {
  if (size() > 32 && kMemoryIsOurs) expect(kib < most, "a rank has grown by " + std::to_string(kib) + " KiB " + what);
}

void everyone_to_everyone() {
  constexpr int kInts = 256;
  const auto count = static_cast<std::size_t>(size()) * kInts;
  std::vector<int> out(count), in(count, -1);
  const double grown = kib_more_for([&] {
    for (int round = 0; round < 3; ++round) {
      for (std::size_t i = 0; i < count; ++i) out[i] = rank() * 1000 + round + static_cast<int>(i % kInts);
      MPI_Alltoall(out.data(), kInts, MPI_INT, in.data(), kInts, MPI_INT, MPI_COMM_WORLD);
      long wrong = 0;
      for (std::size_t i = 0; i < count; ++i)
        wrong += in[i] != static_cast<int>(i / kInts) * 1000 + round + static_cast<int>(i % kInts) ? 1 : 0;
      expect_equal(wrong, 0L, "numbers that are not what was sent");
    }
  });
  expect_less(grown, 2048, "for all pairs");  // few have a ring for each, of up to a MiB
}

// Each sends long messages to some that follow it, several times: pairs of many ranks share what moves their bytes.
void long_messages_to_many() {
  constexpr int kRounds = 6, kInts = 100'000;
  const int neighbours = std::min(size() - 1, 8);
  std::vector<int> out(kInts), in(kInts, -1);
  const double grown = kib_more_for([&] {
    for (int round = 0; round < kRounds; ++round)
      for (int distance = 1; distance <= neighbours; ++distance) {
        const int to = (rank() + distance) % size(), from = (rank() + size() - distance) % size();
        std::fill(out.begin(), out.end(), rank() + round);
        MPI_Sendrecv(out.data(), kInts, MPI_INT, to, kTag, in.data(), kInts, MPI_INT, from, kTag, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        expect_equal(std::count(in.begin(), in.end(), from + round), std::ptrdiff_t{kInts}, "numbers that have come");
      }
  });
  expect_less(grown, 1536, "for long messages");  // a pipe, since one sends to each at a time
}

// Each sends much to one after the other, of all lengths, so who deserves a ring changes all the time.
void partners_change() {
  constexpr int kMessages = 40, kMost = 20'000;
  const int steps = std::min(size(), 24);
  std::vector<char> out(kMost), in(kMost);
  for (int step = 1; step < steps; ++step) {
    const int to = (rank() + step * step) % size();
    const int from = (rank() + size() - step * step % size()) % size();
    long wrong = 0;
    for (int message = 0; message < kMessages; ++message) {
      const int bytes = message % 4 == 3 ? message * 500 : message;
      std::memset(out.data(), rank() + message, static_cast<std::size_t>(bytes));
      MPI_Status status;
      MPI_Sendrecv(out.data(), bytes, MPI_CHAR, to, kTag, in.data(), kMost, MPI_CHAR, from, kTag, MPI_COMM_WORLD,
                   &status);
      int got = 0;
      MPI_Get_count(&status, MPI_CHAR, &got);
      wrong +=
          got != bytes || (bytes != 0 && in[static_cast<std::size_t>(bytes) - 1] != static_cast<char>(from + message))
              ? 1
              : 0;
    }
    expect_equal(wrong, 0L, "messages that are not what was sent");
  }
}

// To rank 0 all at once, without waiting: more than its queue holds.
void everyone_to_one() {
  constexpr int kMessages = 30, kInts = 900;
  std::vector<int> buffer(kInts);
  if (rank() != 0) {
    for (int message = 0; message < kMessages; ++message) {
      buffer[0] = message;
      MPI_Send(buffer.data(), kInts, MPI_INT, 0, kTag, MPI_COMM_WORLD);
    }
    return;
  }
  std::vector<int> next(static_cast<std::size_t>(size()));
  long wrong = 0;
  for (int message = 0; message < kMessages * (size() - 1); ++message) {
    MPI_Status status;
    MPI_Recv(buffer.data(), kInts, MPI_INT, MPI_ANY_SOURCE, kTag, MPI_COMM_WORLD, &status);
    wrong += buffer[0] != next[static_cast<std::size_t>(status.MPI_SOURCE)]++ ? 1 : 0;
  }
  expect_equal(wrong, 0L, "messages out of order");
}

}  // namespace

int main() {
  return run({{"everyone to everyone", everyone_to_everyone},
              {"long messages to many", long_messages_to_many},
              {"partners change", partners_change},
              {"everyone to one", everyone_to_one}});
}
