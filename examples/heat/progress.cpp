#include "progress.hpp"

#include <cstdio>

namespace {

constexpr int kLines = 20;

int lines_by(int step, int steps) { return static_cast<int>(1LL * step * kLines / steps); }

}  // namespace

Progress::Progress(int steps, std::size_t cells, double start_seconds)
    : steps_(steps),
      cells_(static_cast<double>(cells)),
      start_seconds_(start_seconds),
      last_seconds_(start_seconds) {}

bool Progress::due(int step) const { return lines_by(step, steps_) > lines_by(step - 1, steps_); }

void Progress::print(int step, double largest_change, double now_seconds) {
  const double updates = cells_ * (step - last_step_);
  const double rate = updates / (now_seconds - last_seconds_);
  const double left = (now_seconds - start_seconds_) / step * (steps_ - step);
  std::printf("%3d%%  step %6d of %d  largest change %.2e  %7.1f million cells/s  %5.1f s left\n",
              static_cast<int>(100LL * step / steps_), step, steps_, largest_change, rate / 1e6, left);
  std::fflush(stdout);  // output to a pipe is buffered otherwise
  last_step_ = step;
  last_seconds_ = now_seconds;
}
