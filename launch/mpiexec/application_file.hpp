// The file of mpiexec -file and -configfile (MPI 5.0, 11.5): a program specification a line, as they stand between
// colons on the command line. What begins with '#' is a comment; a line that ends in '\' goes on in the next. Words
// are separated by blanks; those between quotes, '...' or "...", are one.
#pragma once

#include <string>
#include <vector>

namespace antiphon::launch {

struct ApplicationLine {
  int number;
  std::vector<std::string> words;
};

// Throws Failure; `option` is how the user wrote it.
[[nodiscard]] std::vector<ApplicationLine> read_application_file(const std::string& option, const std::string& path);

}  // namespace antiphon::launch
