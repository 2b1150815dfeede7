#include "process_grid.hpp"

#include <mpi.h>

#include <algorithm>
#include <utility>

namespace {

// The first cell of part `index`, if `total` cells are divided into `parts` as evenly as possible.
int begin_of(int index, int parts, int total) { return static_cast<int>(1LL * index * total / parts); }

}  // namespace

ProcessGrid::ProcessGrid(int ranks, int width, int height) : width_(width), height_(height) {
  // A vertical cut is `height` cells long, a horizontal cut `width` cells. Their sum is the number of cells to
  // exchange.
  std::pair<long long, long long> best{0, 0};
  for (int columns = 1; columns <= std::min(ranks, width); ++columns) {
    const int rows = std::min(ranks / columns, height);
    const long long cut = 1LL * (columns - 1) * height + 1LL * (rows - 1) * width;
    const std::pair<long long, long long> merit{1LL * columns * rows, -cut};
    if (columns == 1 || merit > best) {
      best = merit;
      columns_ = columns;
      rows_ = rows;
    }
  }
}

Rectangle ProcessGrid::rectangle(int rank) const {
  const int column = rank % columns_, row = rank / columns_;
  const int x = begin_of(column, columns_, width_), y = begin_of(row, rows_, height_);
  return {x, y, begin_of(column + 1, columns_, width_) - x, begin_of(row + 1, rows_, height_) - y};
}

int ProcessGrid::neighbour(int rank, int right, int down) const {
  const int column = rank % columns_ + right, row = rank / columns_ + down;
  const bool inside = column >= 0 && column < columns_ && row >= 0 && row < rows_;
  return inside ? row * columns_ + column : MPI_PROC_NULL;
}
