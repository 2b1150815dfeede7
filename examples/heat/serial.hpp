// The same computation on one rank, without ghost cells, rectangles or MPI, to check the parallel run.
#pragma once

#include "picture.hpp"

Temperatures heat_serially(Temperatures start, int steps);

// The largest difference of any cell.
double largest_difference(const Temperatures& a, const Temperatures& b);
