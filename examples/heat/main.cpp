// Heat spreads through a plate. The brightness of a picture gives the temperatures at the start.
//
//   mpicxx -std=c++20 -O3 *.cpp -o heat -lpng && mpiexec -n 4 ./heat valley.png --steps 4000 --check
//
// Solves the 2-D heat equation with an explicit five-point scheme. The plate is divided into rectangles, one for each
// rank. In each step neighbours exchange their border cells with nonblocking sends and receives (plate.cpp) and
// compute while the messages are under way. Rank 0 reads the picture, reports progress, writes pictures, and with
// --check compares the result with a serial run. The number of ranks and the size of the picture are arbitrary.
#include <antiphon/mpi.hpp>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <numeric>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

#include "distribution.hpp"
#include "options.hpp"
#include "picture.hpp"
#include "plate.hpp"
#include "process_grid.hpp"
#include "progress.hpp"
#include "serial.hpp"

namespace {

// Both runs round alike, unless the compiler fuses multiplication and addition in only one of them.
constexpr double kTolerance = 1e-12;

// Writes numbered pictures on rank 0.
class Album {
 public:
  explicit Album(std::string folder) : folder_(std::move(folder)) {}

  void add(const Temperatures& picture) {
    char name[32];
    std::snprintf(name, sizeof name, "heat-%04d.png", count_++);
    write_png(folder_ + "/" + name, picture);
  }
  int count() const { return count_; }

 private:
  std::string folder_;
  int count_ = 0;
};

double mean(const Temperatures& picture) {
  return std::accumulate(picture.values.begin(), picture.values.end(), 0.0) /
         static_cast<double>(picture.values.size());
}

// Computes all steps. Rank 0 gets the final temperatures.
Temperatures run_in_parallel(const Options& options, const ProcessGrid& grid, const Temperatures& start,
                             antiphon::communicator comm) {
  const int rank = comm.rank();
  Plate plate(grid, deal(grid, start, comm), comm);
  Album album(options.out);
  if (rank == 0) album.add(start);

  const auto cells = static_cast<std::size_t>(grid.width()) * static_cast<std::size_t>(grid.height());
  Progress progress(options.steps, cells, MPI_Wtime());
  int pictures = 0;
  for (int step = 1; step <= options.steps; ++step) {
    plate.step();
    if (progress.due(step)) {
      const double change = plate.largest_change();
      if (rank == 0) progress.print(step, change, MPI_Wtime());
    }
    const auto pictures_by_now = static_cast<int>(1LL * step * options.pictures / options.steps);
    if (pictures_by_now > pictures) {
      pictures = pictures_by_now;
      const double begin = MPI_Wtime();
      const Temperatures picture = gather(grid, plate.cells(), comm);
      if (rank == 0) album.add(picture);
      progress.leave_out(MPI_Wtime() - begin);
    }
  }
  if (rank == 0) std::printf("%d pictures: %s/heat-*.png\n", album.count(), options.out.c_str());
  return gather(grid, plate.cells(), comm);
}

// Returns the exit status.
int report(const Options& options, const Temperatures& start, const Temperatures& result) {
  // No heat flows across the edges, so the mean temperature must not change.
  const double drift = std::abs(mean(result) - mean(start));
  const bool conserved = drift < 1e-9;
  std::printf("mean temperature %.9f, drift %.1e: heat %s\n", mean(result), drift,
              conserved ? "is conserved" : "IS LOST");
  if (!options.check) return conserved ? 0 : 1;

  const double difference = largest_difference(result, heat_serially(start, options.steps));
  const bool same = difference <= kTolerance;
  std::printf("check against the serial run: %s (largest difference %.1e)\n", same ? "passed" : "FAILED", difference);
  return conserved && same ? 0 : 1;
}

void create_folder(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) throw std::runtime_error("cannot create the folder '" + path + "': " + error.message());
}

int run(const Options& options) {
  const antiphon::communicator world = antiphon::world();
  const int rank = world.rank();

  Temperatures start;
  if (rank == 0) {
    start = read_png(options.image, options.scale);
    create_folder(options.out);
  }
  std::array size{start.width, start.height};
  world.bcast(size, {.root = 0});

  const ProcessGrid grid(world.size(), size[0], size[1]);
  if (rank == 0) {
    std::printf("%s: %d x %d cells on %d x %d ranks, %d steps\n", options.image.c_str(), size[0], size[1],
                grid.columns(), grid.rows(), options.steps);
  }

  // Ranks outside of the grid have nothing to do.
  const auto comm = world.split({.color = rank < grid.size() ? 0 : MPI_UNDEFINED});
  if (!comm) return 0;
  const Temperatures result = run_in_parallel(options, grid, start, comm);
  return rank == 0 ? report(options, start, result) : 0;
}

}  // namespace

int main(int argc, char** argv) {
  const antiphon::environment mpi;
  const int rank = antiphon::world().rank();
  int status = 0;
  try {
    const Options options = parse_options(argc, argv);
    if (!options.help) {
      status = run(options);
    } else if (rank == 0) {
      std::fputs(kUsage, stdout);
    }
  } catch (const UsageError& problem) {
    // All ranks have found the error, so all return; rank 0 prints it.
    if (rank == 0) std::fprintf(stderr, "heat: %s\n%s", problem.what(), kUsage);
    status = 2;
  } catch (const std::exception& problem) {
    // The other ranks are waiting for this one, so it must abort the job.
    std::fprintf(stderr, "heat: %s\n", problem.what());
    antiphon::world().abort();
  }
  return status;
}
