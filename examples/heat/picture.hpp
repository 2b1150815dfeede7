// Reads and writes pictures, and holds the temperatures that they stand for. It uses no MPI; only rank 0 accesses
// files.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

// Temperatures on a grid, row by row from the top left: 0 is cold, 1 is hot.
struct Temperatures {
  Temperatures() = default;
  Temperatures(int columns, int rows)
      : width(columns), height(rows), values(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows)) {}

  int width = 0;
  int height = 0;
  std::vector<double> values;

  double& at(int x, int y) { return values[index(x, y)]; }
  double at(int x, int y) const { return values[index(x, y)]; }

 private:
  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
  }
};

// Bright pixels are hot; each becomes a square of scale x scale cells. Throws std::runtime_error.
Temperatures read_png(const std::string& path, int scale);

// Paints temperatures in the colours of glowing iron, from black to white. Throws std::runtime_error.
void write_png(const std::string& path, const Temperatures& temperatures);
