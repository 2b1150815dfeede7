#include "plate.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "stencil.hpp"

namespace {

// Named for the direction in which the cells are sent, so that the two borders of a pair of neighbours are not
// confused.
enum Tag { kNorthward = 1, kSouthward, kWestward, kEastward };

}  // namespace

Plate::Plate(const ProcessGrid& grid, const std::vector<double>& cells, antiphon::communicator comm) : comm_(comm) {
  const int rank = comm_.rank();
  const Rectangle own = grid.rectangle(rank);
  width_ = own.width;
  height_ = own.height;
  north_ = grid.neighbour(rank, 0, -1);
  south_ = grid.neighbour(rank, 0, 1);
  west_ = grid.neighbour(rank, -1, 0);
  east_ = grid.neighbour(rank, 1, 0);

  now_.resize(at(width_, height_) + 1);
  before_.resize(now_.size());
  west_out_.resize(static_cast<std::size_t>(height_));
  east_out_ = west_in_ = east_in_ = west_out_;
  for (int y = 0; y < height_; ++y) {
    std::copy_n(cells.begin() + static_cast<std::ptrdiff_t>(y) * width_, width_, &now_[at(0, y)]);
  }
}

std::vector<double> Plate::cells() const {
  std::vector<double> result;
  for (int y = 0; y < height_; ++y) result.insert(result.end(), &now_[at(0, y)], &now_[at(width_, y)]);
  return result;
}

// While the borders are being exchanged, computes the cells that do not touch the frame.
void Plate::step() {
  std::swap(now_, before_);
  fill_frame_as_if_alone();
  auto borders = antiphon::when_all(comm_.irecv(row(-1), {.from = north_, .tag = kSouthward}),
                                    comm_.irecv(row(height_), {.from = south_, .tag = kNorthward}),
                                    comm_.irecv(std::span(west_in_), {.from = west_, .tag = kEastward}),
                                    comm_.irecv(std::span(east_in_), {.from = east_, .tag = kWestward}),
                                    comm_.isend(row(0), {.to = north_, .tag = kNorthward}),
                                    comm_.isend(row(height_ - 1), {.to = south_, .tag = kSouthward}),
                                    comm_.isend(std::span(west_out_), {.to = west_, .tag = kWestward}),
                                    comm_.isend(std::span(east_out_), {.to = east_, .tag = kEastward}));
  update(1, 1, width_ - 1, height_ - 1);
  borders.get();
  unpack_columns();
  update(0, 0, width_, 1);
  if (height_ > 1) update(0, height_ - 1, width_, height_);
  update(0, 1, 1, height_ - 1);
  if (width_ > 1) update(width_ - 1, 1, width_, height_ - 1);
}

// A receive from MPI_PROC_NULL does not change its buffer, so at the edges of the plate the values from here stay.
void Plate::fill_frame_as_if_alone() {
  for (int y = 0; y < height_; ++y) {
    const auto i = static_cast<std::size_t>(y);
    west_in_[i] = west_out_[i] = before_[at(0, y)];
    east_in_[i] = east_out_[i] = before_[at(width_ - 1, y)];
  }
  std::copy_n(&before_[at(0, 0)], width_, &before_[at(0, -1)]);
  std::copy_n(&before_[at(0, height_ - 1)], width_, &before_[at(0, height_)]);
}

void Plate::unpack_columns() {
  for (int y = 0; y < height_; ++y) {
    before_[at(-1, y)] = west_in_[static_cast<std::size_t>(y)];
    before_[at(width_, y)] = east_in_[static_cast<std::size_t>(y)];
  }
}

// Computes the cells from (left, top) up to, but excluding, column `right` and row `bottom`.
void Plate::update(int left, int top, int right, int bottom) {
  for (int y = top; y < bottom; ++y) {
    const double* north = &before_[at(0, y - 1)];
    const double* centre = &before_[at(0, y)];
    const double* south = &before_[at(0, y + 1)];
    double* result = &now_[at(0, y)];
    for (int x = left; x < right; ++x) {
      result[x] = next_temperature(centre[x], north[x], south[x], centre[x - 1], centre[x + 1]);
    }
  }
}

double Plate::largest_change() const {
  double mine = 0.0;
  for (int y = 0; y < height_; ++y) {
    for (int x = 0; x < width_; ++x) mine = std::max(mine, std::abs(now_[at(x, y)] - before_[at(x, y)]));
  }
  return comm_.reduce(mine, antiphon::maximum{}, {.root = 0}).value_or(0.0);
}
