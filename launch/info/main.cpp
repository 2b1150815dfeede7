// antiphon-info: what this installation is and what it has. For people, for reports of bugs and, with --json, for
// programs.
#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>

#include "info/facts.hpp"
#include "mpiexec/nearest.hpp"

namespace {

using namespace antiphon;
using info::Json;

constexpr const char* kHelp =
    "usage: antiphon-info [--missing] [--json]\n\n"
    "Prints version, ABI, transports and how this Antiphon was built.\n\n"
    "  --missing   print the procedures of MPI that it does not have yet, by chapter\n"
    "  --json      print the same as JSON\n"
    "  --help      print this text\n";

int refuse(std::string_view word) {
  constexpr std::string_view kKnown[] = {"missing", "json", "help"};
  const auto meant = launch::nearest(word.substr(std::min(word.find_first_not_of('-'), word.size())), kKnown);
  fmt::print(stderr, "antiphon-info: unknown option '{}'{} (valid: --missing, --json, --help)\n", word,
             meant ? fmt::format(", did you mean '--{}'?", *meant) : "");
  return 2;
}

std::string as_text(const Json& value) {
  if (!value.is_array()) return value.is_string() ? value.get<std::string>() : value.dump();
  std::string text;
  for (const Json& item : value) text += (text.empty() ? "" : ", ") + as_text(item);
  return text;
}

void print_installation(bool json) {
  const Json facts = info::installation();
  if (json) {
    fmt::print("{}\n", facts.dump(2));
    return;
  }
  for (const auto& [key, value] : facts.items()) {
    std::string name = key + ":";
    std::replace(name.begin(), name.end(), '_', ' ');
    const std::string text = as_text(value);
    fmt::print("{:<19} {}\n", name, text.empty() ? "none" : text);
  }
}

void print_missing(bool json) {
  Json list = Json::array();
  std::string_view chapter;
  for (const api::ProcedureEntry& procedure : info::missing_procedures()) {
    if (json) {
      list.push_back({{"name", std::string(procedure.name)}, {"chapter", std::string(procedure.chapter)}});
      continue;
    }
    if (procedure.chapter != chapter) fmt::print("{}:\n", chapter = procedure.chapter);
    fmt::print("  {}\n", procedure.name);
  }
  if (json) fmt::print("{}\n", list.dump(2));
}

}  // namespace

int main(int argc, char** argv) {
  bool missing = false, json = false;
  for (const std::string_view word : std::span(argv, static_cast<std::size_t>(argc)).subspan(1)) {
    if (word == "--missing") {
      missing = true;
    } else if (word == "--json") {
      json = true;
    } else if (word == "--help" || word == "-h") {
      fmt::print("{}", kHelp);
      return 0;
    } else {
      return refuse(word);
    }
  }
  missing ? print_missing(json) : print_installation(json);
  return 0;
}
