// The part of the plate that one rank computes: its rectangle of cells, surrounded by a frame of ghost cells one
// wide, which hold copies of the neighbours' border cells. No heat flows across the edges of the plate, so there the
// ghost cells repeat the rank's own border cells. The communicator has as many ranks as the grid.
#pragma once

#include <antiphon/mpi.hpp>
#include <cstddef>
#include <span>
#include <vector>

#include "process_grid.hpp"

class Plate {
 public:
  Plate(const ProcessGrid& grid, const std::vector<double>& cells, antiphon::communicator comm);

  void step();  // every rank must take part: neighbours exchange their borders

  // The largest change of any cell of any rank in the last step; known to rank 0. Collective.
  double largest_change() const;

  std::vector<double> cells() const;  // without the frame, row by row

 private:
  // The index of cell (x, y) in now_ and before_. (0, 0) is the first cell inside the frame, (-1, -1) the corner of
  // the frame.
  std::size_t at(int x, int y) const {
    return static_cast<std::size_t>(y + 1) * static_cast<std::size_t>(width_ + 2) + static_cast<std::size_t>(x + 1);
  }

  std::span<double> row(int y) { return {&before_[at(0, y)], static_cast<std::size_t>(width_)}; }

  void fill_frame_as_if_alone();
  void unpack_columns();
  void update(int left, int top, int right, int bottom);

  antiphon::communicator comm_;
  int width_, height_;
  int north_, south_, west_, east_;                              // neighbours, or MPI_PROC_NULL
  std::vector<double> now_, before_;                             // temperatures after and before the last step
  std::vector<double> west_out_, east_out_, west_in_, east_in_;  // packed columns, because these are not contiguous
};
