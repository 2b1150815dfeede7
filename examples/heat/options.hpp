// What the user asked for on the command line. No MPI here: every rank parses the same arguments and comes to the
// same conclusion.
#pragma once

#include <stdexcept>
#include <string>

struct Options {
  std::string image;
  std::string out = "heat-output";  // folder for the pictures
  int steps = 2000;
  int pictures = 5;  // after the first one, which shows the start
  int scale = 1;     // cells a pixel, in each direction
  bool check = false;
  bool help = false;
};

// What is wrong with the command line, in a sentence for the user.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

extern const char* const kUsage;

Options parse_options(int argc, const char* const* argv);  // throws UsageError
