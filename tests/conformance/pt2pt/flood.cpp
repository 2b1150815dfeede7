// A fast sender and a receiver that does not look: what has been sent and not received takes no more memory than the
// ring between the two, and nothing is lost. ANTIPHON_FLOOD says how many messages, 200,000 otherwise.
#include <sys/resource.h>

#include <chrono>
#include <cstdlib>
#include <thread>

#include "support/ranks.hpp"

using namespace conformance;

namespace {

constexpr int kTag = 1;
constexpr long kBoundKiB = 4 << 10;  // the ring's 1 MiB, and what a process may grow by besides

// An address sanitizer keeps what is freed for a while, so memory grows with all that has been allocated.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool kFreedIsUsedAgain = false;
#else
constexpr bool kFreedIsUsedAgain = true;
#endif

long messages() {
  const char* given = std::getenv("ANTIPHON_FLOOD");
  return given ? std::strtol(given, nullptr, 10) : 200'000;
}

long peak_memory_kib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

// From the even ranks to the odd ones.
void memory_stays_bounded() {
  const int partner = rank() ^ 1;
  if (partner >= size()) return;
  const long count = messages(), before = peak_memory_kib();
  if (rank() % 2 == 0) {
    for (long i = 0; i < count; ++i) MPI_Send(&i, 1, MPI_LONG, partner, kTag, MPI_COMM_WORLD);
  } else {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    long wrong = 0;
    for (long i = 0; i < count; ++i) {
      long in = -1;
      MPI_Recv(&in, 1, MPI_LONG, partner, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      wrong += in != i ? 1 : 0;
    }
    expect_equal(wrong, 0L, "messages that are not what was sent");
  }
  const long grown = peak_memory_kib() - before;
  expect(grown <= kBoundKiB || !kFreedIsUsedAgain, "the process has grown by " + std::to_string(grown) + " KiB");
}

}  // namespace

int main() { return run({{"memory stays bounded", memory_stays_bounded, {.least = 2}}}); }
