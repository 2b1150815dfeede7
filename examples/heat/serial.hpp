// The same physics on one rank, written without ghost cells, rectangles or MPI: what the parallel run is checked
// against.
#pragma once

#include "picture.hpp"

Temperatures heat_serially(Temperatures start, int steps);

// The largest difference of any cell.
double largest_difference(const Temperatures& a, const Temperatures& b);
