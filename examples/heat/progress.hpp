// What rank 0 tells the user while the computation runs: one line each twentieth of the way.
#pragma once

#include <cstddef>

class Progress {
 public:
  Progress(int steps, std::size_t cells, double start_seconds);

  // Whether a line is due after this many steps. The same on every rank: producing the line is collective.
  bool due(int step) const;

  // Time spent on something else than stepping, such as pictures: not counted in the cells a second.
  void leave_out(double seconds) { last_seconds_ += seconds; }

  void print(int step, double largest_change, double now_seconds);

 private:
  int steps_;
  double cells_;
  double start_seconds_, last_seconds_;
  int last_step_ = 0;
};
