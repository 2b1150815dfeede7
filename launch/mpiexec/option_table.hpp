// The table of mpiexec's options: the names of each, the values that it takes, and how it changes the JobOptions. The
// text of --help is made from the same table. The table is constant; mpiexec parses its command line in one thread.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mpiexec/options.hpp"

namespace antiphon::launch {

// An option as the user wrote it, with a value.
struct Written {
  std::string spelling;
  std::string value;
};

// What the options of one program request. It is applied after all of them have been read.
struct Asked {
  std::optional<int> ranks;
  std::optional<int> ranks_per_node;
  std::vector<HostSlots> hosts;
  std::optional<Written> soft;  // the numbers of ranks that --soft allows
  std::optional<Written> file;  // the file to read programs from
};

// One use of an option: how the user wrote it, its values, and what it may change.
struct Use {
  std::string_view spelling;
  std::span<const std::string> values;
  JobOptions& job;
  App& app;
  Asked& asked;
  bool& wants_help;
  bool& wants_version;

  [[nodiscard]] const std::string& value() const { return values[0]; }
  [[nodiscard]] Written written() const { return {std::string{spelling}, value()}; }
};

struct Option {
  std::string_view names;   // without dashes, separated by blanks; the first is shown with two
  std::string_view values;  // placeholders, separated by blanks: one for each word that the option takes
  std::string_view help;    // lines; if empty: accepted because other launchers have it, but not listed
  void (*apply)(const Use&);
};

// `name` is without dashes. Null if no option has that name.
const Option* find_option(std::string_view name);
// Fails with a message that suggests the nearest option, or says what to use instead. `spelling` is the option as the
// user wrote it.
[[noreturn]] void unknown_option(std::string_view name, std::string_view spelling);

std::string help_text();

}  // namespace antiphon::launch
