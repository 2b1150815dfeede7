// antiphon-info: prints the properties of this installation, for users, for bug reports and, as JSON, for programs.
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <span>
#include <string>
#include <system_error>

#include "base/error.hpp"
#include "base/nearest.hpp"
#include "info/facts.hpp"

namespace {

using namespace antiphon;
using info::Json;

constexpr const char* kHelp =
    "usage: antiphon-info [--missing | --settings | --collectives] [--json]\n\n"
    "Prints version, ABI, transports and compiler of this installation of Antiphon.\n\n"
    "  --missing      print the MPI procedures that Antiphon does not have yet, by chapter of the standard\n"
    "  --settings     print all settings: current value, meaning, default, valid values\n"
    "  --collectives  print, by number of ranks and bytes, which algorithm each collective takes and the times that "
    "are\n"
    "                 predicted for all algorithms\n"
    "  --json         print the same as JSON\n"
    "  --help         print this text\n";

int refuse(std::string_view word) {
  constexpr std::string_view kKnown[] = {"missing", "settings", "collectives", "json", "help"};
  const auto meant = base::nearest(word.substr(std::min(word.find_first_not_of('-'), word.size())), kKnown);
  fmt::print(stderr,
             "antiphon-info: unknown option '{}'{} (valid: --missing, --settings, --collectives, --json, --help)\n",
             word, meant ? fmt::format(", did you mean '--{}'?", *meant) : "");
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

// Prints text in lines of up to 110 characters, indented by four blanks.
void print_wrapped(std::string_view text) {
  constexpr std::size_t kColumns = 110;
  while (text.size() > kColumns) {
    const std::size_t end = text.rfind(' ', kColumns);
    fmt::print("    {}\n", text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  fmt::print("    {}\n", text);
}

std::string whose(const std::string& scope) {
  if (scope == "job") return "the same for all processes of a job";
  return scope == "process" ? "each process may have its own value" : "read by mpiexec alone";
}

void print_settings(bool json) {
  const Json list = info::settings();
  if (json) {
    fmt::print("{}\n", list.dump(2));
    return;
  }
  for (const Json& setting : list) {
    const auto text = [&](const char* key) { return setting[key].get<std::string>(); };
    fmt::print("{} = {}\n", text("name"), text("value"));
    print_wrapped(text("what"));
    if (!text("auto").empty()) print_wrapped("auto: " + text("auto") + ".");
    fmt::print("    default: {}; valid: {}; {}; meant for {}s\n\n", text("default"), text("valid"),
               whose(text("scope")), text("level"));
  }
  fmt::print(
      "To change one: mpiexec --set NAME=VALUE, or ANTIPHON_NAME=VALUE in the environment (the name in capitals).\n");
}

void print_collectives(bool json) {
  const Json list = info::collectives();
  if (json) {
    fmt::print("{}\n", list.dump(2));
    return;
  }
  std::string operation;
  for (const Json& row : list) {
    if (row["operation"] != operation) {
      operation = row["operation"].get<std::string>();
      fmt::print("\n{} ({}_algorithm)\n{:>8} {:>6} {:>9}  {:<19} predicted, in us\n", operation, operation, "ranks",
                 "nodes", "bytes", "chosen");
    }
    std::string predicted;
    for (const auto& [name, us] : row["predicted_us"].items())
      predicted += fmt::format("{}{} {:.4g}", predicted.empty() ? "" : ", ", name, us.get<double>());
    fmt::print("{:>8} {:>6} {:>9}  {:<19} {}\n", row["ranks"].get<int>(), row["nodes"].get<int>(),
               row["bytes"].get<std::size_t>(),
               row["chosen"].get<std::string>() + (row["asked_for"].get<bool>() ? " (set)" : ""), predicted);
  }
  fmt::print(
      "\nAntiphon takes the algorithm with the lowest predicted time. The table assumes that up to 64 ranks run on "
      "the\n"
      "cores of this machine, and more on nodes of 64 ranks with a core each, and that operations commute. Bytes are "
      "those\n"
      "of the vector, or of the block for one rank. The table is for messages: on one node, short collectives, most "
      "of all\n"
      "blocking ones, use shared memory instead and none of these algorithms (board_ranks, board_bytes). The times\n"
      "are calculated from the settings cost_...: see docs/collectives.md.\n");
}

void print(std::string_view what, bool json) {
  if (what == "--missing")
    print_missing(json);
  else if (what == "--settings")
    print_settings(json);
  else if (what == "--collectives")
    print_collectives(json);
  else if (what == "--help")
    fmt::print("{}", kHelp);
  else
    print_installation(json);
}

}  // namespace

int main(int argc, char** argv) {
  std::string_view what;
  bool json = false;
  for (const std::string_view word : std::span(argv, static_cast<std::size_t>(argc)).subspan(1)) {
    if (word == "--missing" || word == "--settings" || word == "--collectives") {
      what = word;
    } else if (word == "--json") {
      json = true;
    } else if (word == "--help" || word == "-h") {
      what = "--help";
    } else {
      return refuse(word);
    }
  }
  try {
    print(what, json);
    if (std::fflush(stdout) != 0) throw std::system_error(errno, std::generic_category());
  } catch (const base::Error& error) {
    fmt::print(stderr, "antiphon-info: {}\n", error.message);
    return 2;
  } catch (const std::system_error& error) {
    fmt::print(stderr, "antiphon-info: cannot write output: {} (stdout)\n", std::strerror(error.code().value()));
    return 1;
  }
  return 0;
}
