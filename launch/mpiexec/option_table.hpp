// The options that mpiexec has: how each is called, which values it takes and what it changes. Help is made of the
// same table.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "mpiexec/options.hpp"

namespace antiphon::launch {

// An option as the user wrote it, with a value.
struct Written {
  std::string spelling;
  std::string value;
};

// What one program specification asks for that is settled when all of its options are read.
struct Asked {
  std::optional<int> ranks;
  std::optional<int> ranks_per_node;  // as many as there are in all, if nothing else is said: this is the only node
  std::optional<Written> soft;        // the numbers that will do
  std::optional<Written> file;        // where the programs are, instead of here
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
  std::string_view values;  // placeholders, separated by blanks: as many words are taken
  std::string_view help;    // empty: understood for the sake of other launchers' users, not advertised
  void (*apply)(const Use&);
};

// Null if there is none of that name, which is without dashes.
const Option* find_option(std::string_view name);
// Says what may have been meant, or what to do instead. `spelling` is the user's.
[[noreturn]] void unknown_option(std::string_view name, std::string_view spelling);

std::string help_text();

}  // namespace antiphon::launch
