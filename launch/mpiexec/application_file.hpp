// Reads the file of mpiexec -file and -configfile (MPI 5.0, 11.5): one program specification a line, as they stand
// between colons on the command line. '#' begins a comment; a line that ends in '\' continues in the next. Blanks
// separate words; text between quotes, '...' or "...", is one word.
#pragma once

#include <string>
#include <vector>

namespace antiphon::launch {

struct ApplicationLine {
  int number;
  std::vector<std::string> words;
};

// Throws Failure. `option` is the option as the user wrote it.
[[nodiscard]] std::vector<ApplicationLine> read_application_file(const std::string& option, const std::string& path);

}  // namespace antiphon::launch
