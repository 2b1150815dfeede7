// Between the whole picture, which only rank 0 has, and the rectangles of cells that the ranks of a grid own. Each
// rectangle travels as one message, row by row.
#pragma once

#include <antiphon/mpi.hpp>
#include <vector>

#include "picture.hpp"
#include "process_grid.hpp"

// Rank 0 deals out `all`; every rank gets the cells of its rectangle. Collective.
std::vector<double> deal(const ProcessGrid& grid, const Temperatures& all, antiphon::communicator comm);

// Rank 0 gets the picture put together again, the others an empty one. Collective.
Temperatures gather(const ProcessGrid& grid, const std::vector<double>& mine, antiphon::communicator comm);
