// One time step of the heat equation for one cell. The parallel and the serial run share it, so that both round alike
// and their results can be compared exactly.
#pragma once

// Time step times conductivity over cell width squared; the explicit scheme is stable up to 1/4.
inline constexpr double kDiffusion = 0.2;

inline double next_temperature(double centre, double north, double south, double west, double east) {
  return centre + kDiffusion * ((north + south) + (west + east) - 4.0 * centre);
}
