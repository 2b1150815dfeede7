#include "mpiexec/application_file.hpp"

#include <fmt/format.h>

#include <optional>
#include <string_view>

#include "common/text_file.hpp"

namespace antiphon::launch {
namespace {

// Splits a line into words; nothing if a quote is not closed.
std::optional<std::vector<std::string>> split(std::string_view line) {
  std::vector<std::string> words;
  bool in_word = false;
  for (std::size_t at = 0; at < line.size(); ++at) {
    const char c = line[at];
    if (c == ' ' || c == '\t' || c == '\r') {
      in_word = false;
      continue;
    }
    if (!in_word && c == '#') break;
    if (!in_word) words.emplace_back();
    in_word = true;
    if (c != '\'' && c != '"') {
      words.back() += c;
      continue;
    }
    const std::size_t end = line.find(c, at + 1);
    if (end == std::string_view::npos) return std::nullopt;
    words.back() += line.substr(at + 1, end - at - 1);
    at = end;
  }
  return words;
}

}  // namespace

std::vector<ApplicationLine> read_application_file(const std::string& option, const std::string& path) {
  constexpr const char* kValid = "a file with options, a program and its arguments in each line";
  std::ifstream file = open_text_file(option, path, kValid);
  std::vector<ApplicationLine> lines;
  std::string line, more;
  for (int last = 0; std::getline(file, line);) {
    const int first = ++last;
    for (; line.ends_with('\\'); ++last) {
      line.back() = ' ';
      if (std::getline(file, more)) line += more;
    }
    std::optional<std::vector<std::string>> words = split(line);
    if (!words) fail_file(option, path, fmt::format("has a quote without its end in line {}", first), kValid);
    if (!words->empty()) lines.push_back({first, std::move(*words)});
  }
  if (lines.empty()) fail_file(option, path, "names no program", kValid);
  return lines;
}

}  // namespace antiphon::launch
