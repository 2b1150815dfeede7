// Estimates pi: the share of random points in the unit square that lie in the quarter circle is about pi / 4.
//
//   mpicxx -std=c++20 -O3 monte_carlo_pi.cpp -o monte_carlo_pi && mpiexec -n 4 ./monte_carlo_pi [million points]
//
// Shows how to make a random computation give the same result on any number of ranks: the work is divided into
// batches, each with a generator seeded by the batch's number, and the ranks compute batches in turn. A reduction
// adds up the hits.
#include <antiphon/mpi.hpp>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <numbers>
#include <random>
#include <string_view>

namespace {

constexpr std::int64_t kBatches = 1000;
constexpr std::int64_t kMaxMillions = 1'000'000;

std::int64_t hits_in_batch(std::int64_t batch, std::int64_t points) {
  std::mt19937_64 generator(static_cast<std::uint64_t>(batch));
  std::uniform_real_distribution<double> coordinate(0.0, 1.0);
  std::int64_t hits = 0;
  for (std::int64_t i = 0; i < points; ++i) {
    const double x = coordinate(generator);
    const double y = coordinate(generator);
    if (x * x + y * y < 1.0) ++hits;
  }
  return hits;
}

// The number of millions in the text, or 0 if it is not a number in the allowed range.
std::int64_t parse_millions(std::string_view text) {
  std::int64_t millions = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), millions);
  const bool valid =
      error == std::errc{} && end == text.data() + text.size() && millions >= 1 && millions <= kMaxMillions;
  return valid ? millions : 0;
}

}  // namespace

int main(int argc, char** argv) {
  const antiphon::environment mpi;
  const antiphon::communicator world = antiphon::world();
  const int rank = world.rank(), size = world.size();

  const std::int64_t millions = argc < 2 ? 100 : parse_millions(argv[1]);
  if (millions == 0 || argc > 2) {
    if (rank == 0) {
      std::fprintf(stderr, "usage: monte_carlo_pi [million points]   1 to %lld, 100 when left out\n",
                   static_cast<long long>(kMaxMillions));
    }
    return 2;
  }

  const std::int64_t points_a_batch = millions * 1'000'000 / kBatches;
  const double start = MPI_Wtime();
  std::int64_t my_hits = 0;
  for (std::int64_t batch = rank; batch < kBatches; batch += size) my_hits += hits_in_batch(batch, points_a_batch);

  // The reduction returns the sum on rank 0, and nothing on the other ranks.
  int status = 0;
  if (const auto hits = world.reduce(my_hits, std::plus{}, {.root = 0})) {
    const double seconds = MPI_Wtime() - start;
    const double points = static_cast<double>(points_a_batch * kBatches);
    const double share = static_cast<double>(*hits) / points;
    const double pi = 4.0 * share;
    // The number of hits is binomially distributed, so an error of more than five standard deviations indicates a
    // bug.
    const double deviation = 4.0 * std::sqrt(share * (1.0 - share) / points);
    const double error = std::abs(pi - std::numbers::pi);
    status = error < 5.0 * deviation ? 0 : 1;
    std::printf("pi is about %.8f: off by %.1e, standard deviation %.1e\n", pi, error, deviation);
    std::printf("%lld hits of %.0f points; %d ranks, %.2f s, %.0f million points a second\n",
                static_cast<long long>(*hits), points, size, seconds, points / seconds / 1e6);
    if (status != 0) std::printf("WRONG: the error is larger than chance explains\n");
  }
  return status;
}
