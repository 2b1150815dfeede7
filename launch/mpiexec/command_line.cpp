#include "mpiexec/command_line.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <string_view>

#include "common/failure.hpp"
#include "common/names.hpp"
#include "mpiexec/application_file.hpp"
#include "mpiexec/option_table.hpp"
#include "mpiexec/soft_ranks.hpp"

namespace antiphon::launch {
namespace {

std::size_t value_count(const Option& option) { return split_names(option.values).size(); }

// For -n4: if the word is the name of an option that takes a number, followed by digits, the length of the name;
// otherwise the length of the word.
std::size_t length_before_number(std::string_view name) {
  const std::size_t letters = name.find_last_not_of("0123456789") + 1;
  const Option* option = letters == name.size() ? nullptr : find_option(name.substr(0, letters));
  return option && option->values == "N" ? letters : name.size();
}

class Parser {
 public:
  explicit Parser(std::span<const std::string> arguments) : rest_(arguments) {}

  Request parse() {
    parse_apps();
    if (wants_help_) return HelpRequest{};
    if (wants_version_) return VersionRequest{};
    return std::move(job_);
  }

 private:
  void parse_apps() {
    do parse_app();
    while (!wants_help_ && !wants_version_ && take_colon());
  }

  void parse_app() {
    App app;
    Asked asked;
    while (!rest_.empty() && is_option(rest_.front())) {
      parse_option(app, asked);
      if (wants_help_ || wants_version_) return;
    }
    if (!rest_.empty() && rest_.front() == "--") take();  // even if the program begins with a dash
    while (!rest_.empty() && rest_.front() != ":") app.command.push_back(take());
    if (asked.file) return parse_file(*asked.file, app);
    if (app.command.empty()) {
      usage_error(job_.apps.empty()
                      ? "no program to run (usage: mpiexec -n N program arguments)"
                      : fmt::format("no program after ':' (program specification {})", job_.apps.size() + 1));
    }
    app.ranks = ranks_of(asked);
    job_.apps.push_back(std::move(app));
    job_.wishes.push_back({.says_ranks = asked.ranks.has_value(),
                           .ranks_per_node = asked.ranks_per_node,
                           .hosts = std::move(asked.hosts)});
  }

  static int ranks_of(const Asked& asked) {
    const int most = asked.ranks.value_or(asked.ranks_per_node.value_or(1));
    if (!asked.soft) return most;
    const auto& [spelling, triplets] = *asked.soft;
    try {
      if (const int ranks = soft_ranks(triplets, most)) return ranks;
    } catch (const std::invalid_argument& error) {
      usage_error(fmt::format("{}: {}", spelling, error.what()));
    }
    usage_error(fmt::format("{}: '{}' has no number from 1 to {} (-n)", spelling, triplets, most));
  }

  // Parses each line of the file as a program specification.
  void parse_file(const Written& file, const App& app) {
    if (!app.command.empty())
      usage_error(
          fmt::format("{}: '{}' and the file cannot both say what to run", file.spelling, app.command.front()));
    if (in_file_)
      usage_error(fmt::format("{}: a file of programs cannot name another file of programs", file.spelling));
    const std::span<const std::string> after = rest_;
    in_file_ = true;
    for (const ApplicationLine& line : read_application_file(file.spelling, file.value)) {
      try {
        rest_ = line.words;
        parse_apps();
      } catch (const Failure& failure) {
        throw Failure{failure.exit_status,
                      fmt::format("line {} of {}: {}", line.number, file.value, failure.message)};
      }
    }
    in_file_ = false;
    rest_ = after;
  }

  static bool is_option(std::string_view word) { return word.size() > 1 && word.front() == '-' && word != "--"; }

  // NAME VALUE. Options with one value may be NAME=VALUE; if that is a number, also NAME followed by the number.
  void parse_option(App& app, Asked& asked) {
    const std::string word = take();
    const std::size_t equals = word.find('=');
    const std::size_t dashes = word.starts_with("--") ? 2 : 1;
    std::string spelling = word.substr(0, equals);
    const std::size_t length = dashes + length_before_number(spelling.substr(dashes));
    std::vector<std::string> values;
    if (length < spelling.size()) values.push_back(word.substr(length));
    spelling.resize(length);
    const Option* found = find_option(spelling.substr(dashes));
    if (!found) unknown_option(spelling.substr(dashes), spelling);
    const Option& option = *found;
    const std::size_t wanted = value_count(option);

    if (values.empty() && equals != std::string::npos) {
      if (wanted != 1) {
        usage_error(fmt::format("{}: '{}' is too much here (this option takes {})", spelling, word.substr(equals),
                                wanted == 0 ? "no value" : "two words: " + std::string{option.values}));
      }
      values.push_back(word.substr(equals + 1));
    }
    while (values.size() < wanted) {
      if (rest_.empty() || rest_.front() == ":") {
        usage_error(fmt::format("{}: a value is missing (valid: {} {})", spelling, spelling, option.values));
      }
      values.push_back(take());
    }
    option.apply({.spelling = spelling,
                  .values = values,
                  .job = job_,
                  .app = app,
                  .asked = asked,
                  .wants_help = wants_help_,
                  .wants_version = wants_version_});
  }

  bool take_colon() {
    if (rest_.empty()) return false;
    rest_ = rest_.subspan(1);
    return true;
  }

  std::string take() {
    std::string word = rest_.front();
    rest_ = rest_.subspan(1);
    return word;
  }

  std::span<const std::string> rest_;
  JobOptions job_;
  bool wants_help_ = false;
  bool wants_version_ = false;
  bool in_file_ = false;
};

}  // namespace

Request parse_command_line(std::span<const std::string> arguments) { return Parser(arguments).parse(); }

}  // namespace antiphon::launch
