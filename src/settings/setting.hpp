// The description of one setting. The table of all of them is generated (settings/table.hpp) from spec/cvars.toml.
// Every value is a number (things, bytes, nanoseconds, or the position of a choice), so code that reads or prints
// settings need not know their types in C++.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "settings/values.hpp"

namespace antiphon::settings {

enum class Type : std::uint8_t { count, bytes, time, choice };

// Who must agree on its value: all processes of a job; nobody; or it is mpiexec's alone.
enum class Scope : std::uint8_t { job, process, launcher };

// For whom it is meant.
enum class Level : std::uint8_t { user, tuner, developer };

struct Setting {
  std::string_view name;
  Type type;
  Scope scope;
  Level level;
  std::int64_t usual;  // where nobody says otherwise
  std::int64_t least, most;
  std::string_view automatic;                 // what `auto`, which is 0, means; empty where it is not valid
  std::span<const std::string_view> choices;  // of a choice alone
  std::string_view where;                     // the part of the code that it changes
  std::string_view what;
  std::int64_t (*get)(const Values&);
  void (*set)(Values&, std::int64_t);
};

}  // namespace antiphon::settings
