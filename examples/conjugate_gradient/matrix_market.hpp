// Reads a sparse matrix from a Matrix Market file (https://math.nist.gov/MatrixMarket/formats.html): coordinate form,
// real or integer, general or symmetric. It uses no MPI. Errors in the file are thrown, with their line.
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

// Reads a square matrix. Of a symmetric matrix, the file has one half; the other is added. Throws std::runtime_error.
SparseRows read_matrix_market(const std::string& path);
