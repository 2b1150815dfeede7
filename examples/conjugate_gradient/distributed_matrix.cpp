#include "distributed_matrix.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>

namespace {

constexpr int kTagRowStart = 1, kTagColumns = 2, kTagValues = 3;

// Rows first to last - 1 of a matrix, as a matrix of their own.
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

DistributedMatrix::DistributedMatrix(const SparseRows& whole, antiphon::communicator comm) : comm_(comm) {
  const int rank = comm_.rank(), ranks = comm_.size();

  size_ = whole.row_count();
  comm_.bcast(size_, {.root = 0});
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
  comm_.send(part.row_start, {.to = rank, .tag = kTagRowStart});
  comm_.send(part.columns, {.to = rank, .tag = kTagColumns});
  comm_.send(part.values, {.to = rank, .tag = kTagValues});
}

void DistributedMatrix::receive_rows() {
  // Each received vector has the length of its message.
  rows_.row_start = comm_.recv<std::vector<int>>({.from = 0, .tag = kTagRowStart});
  rows_.columns = comm_.recv<std::vector<int>>({.from = 0, .tag = kTagColumns});
  rows_.values = comm_.recv<std::vector<double>>({.from = 0, .tag = kTagValues});
}

void DistributedMatrix::multiply(const std::vector<double>& x, std::vector<double>& y) {
  comm_.allgather(x, all_of_x_);
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
  return comm_.allreduce(mine, std::plus{});
}
