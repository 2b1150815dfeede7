// Solves A x = b by conjugate gradients, for a symmetric positive definite matrix A from a Matrix Market file.
//
//   mpicxx -std=c++20 -O3 *.cpp -o conjugate_gradient && mpiexec -n 4 ./conjugate_gradient poisson_24x24.mtx
//
// Shows rows distributed over ranks, Allgather for the matrix-vector product and Allreduce for the dot products. The
// right-hand side is A times a vector of ones, so the solution is known; at the end the program computes residual and
// error.
#include <antiphon/mpi.hpp>
#include <cmath>
#include <cstdio>
#include <exception>
#include <vector>

#include "distributed_matrix.hpp"

namespace {

using Vector = std::vector<double>;

constexpr double kTolerance = 1e-10;  // of the residual, relative to the right-hand side

struct Solution {
  Vector x;
  int iterations = 0;
  bool positive_definite = true;  // false if a step found that it is not
};

// x += factor * y
void add_scaled(Vector& x, double factor, const Vector& y) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += factor * y[i];
}

Vector zeros(const DistributedMatrix& matrix) { return Vector(static_cast<std::size_t>(matrix.block()), 0.0); }

Solution solve(DistributedMatrix& matrix, const Vector& b, bool talkative) {
  Solution solution{.x = zeros(matrix)};
  Vector residual = b, direction = b, product = zeros(matrix);
  const double target = kTolerance * std::sqrt(matrix.dot(b, b));
  double residual_squared = matrix.dot(residual, residual);

  // In exact arithmetic as many steps as there are rows suffice; rounding may cost a few more.
  while (std::sqrt(residual_squared) > target && solution.iterations < 2 * matrix.size() + 10) {
    matrix.multiply(direction, product);
    const double curvature = matrix.dot(direction, product);
    solution.positive_definite = curvature > 0.0;
    if (!solution.positive_definite) break;

    const double step = residual_squared / curvature;
    add_scaled(solution.x, step, direction);
    add_scaled(residual, -step, product);

    const double previous = residual_squared;
    residual_squared = matrix.dot(residual, residual);
    for (std::size_t i = 0; i < direction.size(); ++i) {
      direction[i] = residual[i] + residual_squared / previous * direction[i];
    }
    ++solution.iterations;
    if (talkative && solution.iterations % 10 == 0) {
      std::printf("iteration %4d: residual %.3e\n", solution.iterations, std::sqrt(residual_squared));
    }
  }
  return solution;
}

// Returns the exit status: 0 if the answer is right.
int run(const char* path, int rank) {
  DistributedMatrix matrix(rank == 0 ? read_matrix_market(path) : SparseRows{}, antiphon::world());
  if (rank == 0) std::printf("%s: %d unknowns\n", path, matrix.size());

  Vector ones = zeros(matrix), b = zeros(matrix);
  for (int row = 0; row < matrix.rows(); ++row) ones[static_cast<std::size_t>(row)] = 1.0;
  matrix.multiply(ones, b);

  const double start = MPI_Wtime();
  const Solution solution = solve(matrix, b, rank == 0);
  const double seconds = MPI_Wtime() - start;

  // Computes the residual from the solution, because rounding errors accumulate in the one that the iteration
  // updates.
  Vector residual = zeros(matrix), error = solution.x;
  matrix.multiply(solution.x, residual);
  add_scaled(residual, -1.0, b);
  add_scaled(error, -1.0, ones);
  const double relative_residual = std::sqrt(matrix.dot(residual, residual) / matrix.dot(b, b));
  const double relative_error = std::sqrt(matrix.dot(error, error) / matrix.size());
  const bool solved = relative_residual <= 10 * kTolerance;
  if (rank == 0) {
    std::printf("%d iterations in %.3f s: relative residual %.1e, error %.1e: %s\n", solution.iterations, seconds,
                relative_residual, relative_error, solved ? "solved" : "NOT SOLVED");
    if (!solution.positive_definite) std::printf("the matrix is not positive definite\n");
  }
  return solved ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const antiphon::environment mpi;
  const int rank = antiphon::world().rank();
  int status = 2;
  if (argc != 2) {
    if (rank == 0) std::fprintf(stderr, "usage: conjugate_gradient MATRIX.mtx\n");
  } else {
    try {
      status = run(argv[1], rank);
    } catch (const std::exception& problem) {
      // The other ranks may be waiting for this one, so it must abort the job.
      std::fprintf(stderr, "conjugate_gradient: %s\n", problem.what());
      antiphon::world().abort();
    }
  }
  return status;
}
