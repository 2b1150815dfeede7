// A sparse matrix whose rows are distributed over the ranks of a communicator in equal blocks. The last blocks may be
// short or empty. Vectors are padded with zeros to a whole block, so that every collective moves the same number of
// elements for each rank, and products and dot products need no special case.
#pragma once

#include <antiphon/mpi.hpp>
#include <vector>

#include "matrix_market.hpp"

class DistributedMatrix {
 public:
  // Rank 0 passes the whole matrix and sends the other ranks their rows; they pass an empty one. Collective.
  DistributedMatrix(const SparseRows& whole, antiphon::communicator comm);

  int size() const { return size_; }              // rows of the whole matrix
  int block() const { return block_; }            // elements of a rank's share of a vector
  int rows() const { return rows_.row_count(); }  // rows that this rank holds: block() or fewer

  // y = A x, both distributed. Collective: every rank needs all of x.
  void multiply(const std::vector<double>& x, std::vector<double>& y);

  // The dot product of two distributed vectors; all ranks get exactly the same value. Collective.
  double dot(const std::vector<double>& x, const std::vector<double>& y) const;

 private:
  void send_rows(const SparseRows& whole, int rank) const;
  void receive_rows();

  antiphon::communicator comm_;
  int size_ = 0;
  int block_ = 0;
  SparseRows rows_;
  std::vector<double> all_of_x_;
};
