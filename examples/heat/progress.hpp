// The lines that rank 0 prints while the computation runs: twenty in all.
#pragma once

#include <cstddef>

class Progress {
 public:
  Progress(int steps, std::size_t cells, double start_seconds);

  // Whether a line is to be printed after this many steps. All ranks get the same result, because computing the line
  // is collective.
  bool due(int step) const;

  // Excludes time that was not spent on steps, such as for writing pictures, from the cells per second.
  void leave_out(double seconds) { last_seconds_ += seconds; }

  void print(int step, double largest_change, double now_seconds);

 private:
  int steps_;
  double cells_;
  double start_seconds_, last_seconds_;
  int last_step_ = 0;
};
