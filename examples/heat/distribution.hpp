// Distributes the whole picture, which only rank 0 has, to the rectangles of cells that the ranks of a grid own, and
// gathers it again. Each rectangle is one message, row by row.
#pragma once

#include <antiphon/mpi.hpp>
#include <vector>

#include "picture.hpp"
#include "process_grid.hpp"

// Rank 0 distributes `all`; each rank gets the cells of its rectangle. Collective.
std::vector<double> deal(const ProcessGrid& grid, const Temperatures& all, antiphon::communicator comm);

// Rank 0 gets the whole picture, the other ranks an empty one. Collective.
Temperatures gather(const ProcessGrid& grid, const std::vector<double>& mine, antiphon::communicator comm);
