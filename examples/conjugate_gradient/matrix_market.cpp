#include "matrix_market.hpp"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <climits>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace {

struct Entry {
  int row, column;
  double value;
};

// Returns the data lines of a file, and adds the line number to error messages.
class LineReader {
 public:
  explicit LineReader(const std::string& path) : path_(path), file_(path) {
    if (!file_) throw std::runtime_error("cannot open '" + path + "': " + std::strerror(errno));
  }

  [[noreturn]] void fail(const std::string& problem) const {
    throw std::runtime_error(path_ + ":" + std::to_string(number_) + ": " + problem);
  }

  bool next(std::string& line) {
    if (!std::getline(file_, line)) return false;
    ++number_;
    return true;
  }

  // Skips comments and blank lines.
  std::istringstream next_data(const std::string& what) {
    std::string line;
    while (next(line)) {
      if (!line.starts_with('%') && line.find_first_not_of(" \t\r") != std::string::npos) {
        return std::istringstream(line);
      }
    }
    fail("the file ends where " + what + " should be");
  }

 private:
  std::string path_;
  std::ifstream file_;
  int number_ = 0;
};

std::string lowercase(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

// Reads the first line; returns whether the matrix is symmetric.
bool read_banner(LineReader& reader) {
  std::string line, banner, object, form, field, symmetry;
  reader.next(line);
  std::istringstream(lowercase(line)) >> banner >> object >> form >> field >> symmetry;
  if (banner != "%%matrixmarket") reader.fail("not a Matrix Market file: it must begin with %%MatrixMarket");
  if (object != "matrix" || form != "coordinate") reader.fail("only 'matrix coordinate' files can be read");
  if (field != "real" && field != "integer")
    reader.fail("entries are '" + field + "'; only real and integer can be read");
  if (symmetry != "general" && symmetry != "symmetric") {
    reader.fail("the matrix is '" + symmetry + "'; only general and symmetric can be read");
  }
  return symmetry == "symmetric";
}

SparseRows compress(int rows, std::vector<Entry> entries) {
  std::ranges::sort(
      entries, [](const Entry& a, const Entry& b) { return a.row != b.row ? a.row < b.row : a.column < b.column; });
  SparseRows matrix;
  matrix.row_start.assign(static_cast<std::size_t>(rows) + 1, 0);
  for (const Entry& entry : entries) {
    ++matrix.row_start[static_cast<std::size_t>(entry.row) + 1];
    matrix.columns.push_back(entry.column);
    matrix.values.push_back(entry.value);
  }
  for (std::size_t row = 0; row < static_cast<std::size_t>(rows); ++row) {
    matrix.row_start[row + 1] += matrix.row_start[row];
  }
  return matrix;
}

}  // namespace

SparseRows read_matrix_market(const std::string& path) {
  LineReader reader(path);
  const bool symmetric = read_banner(reader);

  int rows = 0, columns = 0, count = 0;
  if (!(reader.next_data("the size of the matrix") >> rows >> columns >> count) || rows < 1 || columns < 1 ||
      count < 0 || count > INT_MAX / 2) {
    reader.fail("expected the number of rows, columns and entries");
  }
  if (rows != columns)
    reader.fail("the matrix is " + std::to_string(rows) + " x " + std::to_string(columns) + ", not square");

  std::vector<Entry> entries;
  for (int i = 0; i < count; ++i) {
    Entry entry{};
    if (!(reader.next_data("entry " + std::to_string(i + 1) + " of " + std::to_string(count)) >> entry.row >>
          entry.column >> entry.value)) {
      reader.fail("expected a row, a column and a value");
    }
    if (entry.row < 1 || entry.row > rows || entry.column < 1 || entry.column > columns) {
      reader.fail("row " + std::to_string(entry.row) + ", column " + std::to_string(entry.column) +
                  " is not in a matrix of " + std::to_string(rows) + " rows");
    }
    --entry.row;  // The file counts from 1.
    --entry.column;
    entries.push_back(entry);
    if (symmetric && entry.row != entry.column) entries.push_back({entry.column, entry.row, entry.value});
  }
  return compress(rows, std::move(entries));
}
