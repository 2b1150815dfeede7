// Arranges ranks in a grid of columns x rows over the cells, and assigns each rank a rectangle of cells. Every rank
// computes the same value, without MPI calls. Every rank of the grid owns at least one cell. If there are more ranks
// than a grid can use, such as 7 ranks on 3 x 2 cells, the last ranks are not part of it.
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

  // The rank that is `right` columns to the right and `down` rows below, or MPI_PROC_NULL if that is outside of the
  // picture.
  int neighbour(int rank, int right, int down) const;

 private:
  int width_, height_;
  int columns_ = 1, rows_ = 1;
};
