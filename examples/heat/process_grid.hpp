// Arranges ranks in a grid of columns x rows over the cells, and says which rectangle of cells is whose. A value,
// computed alike by every rank; no MPI calls. Every rank of the grid owns at least one cell: when there are more
// ranks than a grid with whole rectangles can use, such as 7 ranks on 3 x 2 cells, the last ones stay outside of it.
#pragma once

struct Rectangle {
  int x = 0, y = 0;  // top left cell
  int width = 0, height = 0;
};

class ProcessGrid {
 public:
  // The grid that uses most of the ranks; among those, the one whose rectangles have the shortest borders.
  ProcessGrid(int ranks, int width, int height);

  int width() const { return width_; }  // cells of all rectangles together
  int height() const { return height_; }
  int size() const { return columns_ * rows_; }
  int columns() const { return columns_; }
  int rows() const { return rows_; }

  Rectangle rectangle(int rank) const;

  // The rank so many columns to the right and rows down, or MPI_PROC_NULL beyond the edge of the picture.
  int neighbour(int rank, int right, int down) const;

 private:
  int width_, height_;
  int columns_ = 1, rows_ = 1;
};
