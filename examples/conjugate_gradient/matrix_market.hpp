// Reads a sparse matrix from a Matrix Market file (https://math.nist.gov/MatrixMarket/formats.html): coordinate form,
// real or integer, general or symmetric. No MPI here. What is wrong with a file is thrown, with the line it is on.
#pragma once

#include <string>
#include <vector>

// Compressed rows: the entries of row r are columns[k], values[k] for k from row_start[r] up to row_start[r + 1].
struct SparseRows {
  std::vector<int> row_start{0};
  std::vector<int> columns;
  std::vector<double> values;

  int row_count() const { return static_cast<int>(row_start.size()) - 1; }
};

// A square matrix; the other half of a symmetric one is filled in. Throws std::runtime_error.
SparseRows read_matrix_market(const std::string& path);
