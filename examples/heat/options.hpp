// The options on the command line. It uses no MPI: every rank parses the same arguments, with the same result.
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

// The command line is invalid; the text tells the user why.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

extern const char* const kUsage;

Options parse_options(int argc, const char* const* argv);  // throws UsageError
