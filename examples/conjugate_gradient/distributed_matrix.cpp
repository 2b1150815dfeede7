#include "distributed_matrix.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace {

constexpr int kTagRowStart = 1, kTagColumns = 2, kTagValues = 3;

// A message says how long it is: probe for it, make room, then receive.
template <typename T>
std::vector<T> receive_all(MPI_Datatype type, int source, int tag, MPI_Comm comm) {
  MPI_Status status;
  int count = 0;
  MPI_Probe(source, tag, comm, &status);
  MPI_Get_count(&status, type, &count);
  std::vector<T> data(static_cast<std::size_t>(count));
  MPI_Recv(data.data(), count, type, source, tag, comm, MPI_STATUS_IGNORE);
  return data;
}

// Rows first up to last of a matrix, as a matrix of their own.
SparseRows slice(const SparseRows& whole, int first, int last) {
  SparseRows part;
  const int base = whole.row_start[static_cast<std::size_t>(first)];
  part.row_start.clear();
  for (int row = first; row <= last; ++row)
    part.row_start.push_back(whole.row_start[static_cast<std::size_t>(row)] - base);
  const auto from = base, to = base + part.row_start.back();
  part.columns.assign(whole.columns.begin() + from, whole.columns.begin() + to);
  part.values.assign(whole.values.begin() + from, whole.values.begin() + to);
  return part;
}

}  // namespace

DistributedMatrix::DistributedMatrix(const SparseRows& whole, MPI_Comm comm) : comm_(comm) {
  int rank = 0, ranks = 0;
  MPI_Comm_rank(comm_, &rank);
  MPI_Comm_size(comm_, &ranks);

  size_ = whole.row_count();
  MPI_Bcast(&size_, 1, MPI_INT, 0, comm_);
  block_ = (size_ + ranks - 1) / ranks;
  all_of_x_.resize(static_cast<std::size_t>(block_) * static_cast<std::size_t>(ranks));

  if (rank == 0) {
    for (int other = 1; other < ranks; ++other) send_rows(whole, other);
    rows_ = slice(whole, 0, std::min(block_, size_));
  } else {
    receive_rows();
  }
}

void DistributedMatrix::send_rows(const SparseRows& whole, int rank) const {
  const auto clamp = [this](long long row) { return static_cast<int>(std::min<long long>(row, size_)); };
  const long long first = 1LL * rank * block_;
  const SparseRows part = slice(whole, clamp(first), clamp(first + block_));
  const int entries = part.row_start.back();
  MPI_Send(part.row_start.data(), part.row_count() + 1, MPI_INT, rank, kTagRowStart, comm_);
  MPI_Send(part.columns.data(), entries, MPI_INT, rank, kTagColumns, comm_);
  MPI_Send(part.values.data(), entries, MPI_DOUBLE, rank, kTagValues, comm_);
}

void DistributedMatrix::receive_rows() {
  rows_.row_start = receive_all<int>(MPI_INT, 0, kTagRowStart, comm_);
  rows_.columns = receive_all<int>(MPI_INT, 0, kTagColumns, comm_);
  rows_.values = receive_all<double>(MPI_DOUBLE, 0, kTagValues, comm_);
}

void DistributedMatrix::multiply(const std::vector<double>& x, std::vector<double>& y) {
  MPI_Allgather(x.data(), block_, MPI_DOUBLE, all_of_x_.data(), block_, MPI_DOUBLE, comm_);
  for (int row = 0; row < rows(); ++row) {
    const auto begin = static_cast<std::size_t>(rows_.row_start[static_cast<std::size_t>(row)]);
    const auto end = static_cast<std::size_t>(rows_.row_start[static_cast<std::size_t>(row) + 1]);
    double sum = 0.0;
    for (std::size_t k = begin; k < end; ++k)
      sum += rows_.values[k] * all_of_x_[static_cast<std::size_t>(rows_.columns[k])];
    y[static_cast<std::size_t>(row)] = sum;
  }
}

double DistributedMatrix::dot(const std::vector<double>& x, const std::vector<double>& y) const {
  const double mine = std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
  double sum = 0.0;
  MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, comm_);
  return sum;
}
