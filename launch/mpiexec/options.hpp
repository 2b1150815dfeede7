// The user's options as a value. parse_command_line makes it; main() adds what the environment says; afterwards it is
// constant.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "settings/given.hpp"

namespace antiphon::launch {

struct Variable {
  std::string name;
  std::string value;
};

// One program specification: the words between two colons.
struct App {
  int ranks = 1;
  std::vector<Variable> environment;
  std::string working_directory;  // empty: that of mpiexec
  std::string search_path;        // directories to search before PATH
  std::vector<std::string> command;
};

// `automatic`: binds ranks to cores, or to hardware threads, if each rank can have its own; otherwise binds none.
enum class BindTo { automatic, none, hwthread, core, l3cache, numa, socket };
// The objects among which ranks are distributed in turn. `automatic`: adjacent ranks on adjacent cores.
enum class MapBy { automatic, hwthread, core, l3cache, numa, socket };
enum class OnHang { report, abort, ignore };

struct JobOptions {
  std::vector<App> apps;
  std::vector<Variable> environment;  // for all programs; a program's own variables override it
  bool label_output = false;
  bool report_bindings = false;
  bool verbose = false;
  std::optional<std::chrono::duration<double>> timeout;
  BindTo bind_to = BindTo::automatic;
  MapBy map_by = MapBy::automatic;
  OnHang on_hang = OnHang::report;
  std::vector<settings::Given> set;  // settings from the command line
  settings::Values settings;         // of the job, from command line and environment

  [[nodiscard]] int ranks() const {
    int sum = 0;
    for (const App& app : apps) sum += app.ranks;
    return sum;
  }
};

}  // namespace antiphon::launch
