// What the user asked for: the command line of mpiexec as a value. Made by parse_command_line, completed by what the
// environment says, constant afterwards.
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

// One program specification: what stands between two colons.
struct App {
  int ranks = 1;
  std::vector<Variable> environment;
  std::string working_directory;  // empty: that of mpiexec
  std::string search_path;        // where programs are looked for before PATH
  std::vector<std::string> command;
};

// `automatic` binds to cores where every rank can have one, and leaves ranks alone otherwise.
enum class BindTo { automatic, none, hwthread, core, l3cache, numa, socket };
// From which objects the ranks are dealt in turn. `automatic`: neighbouring ranks on neighbouring cores.
enum class MapBy { automatic, hwthread, core, l3cache, numa, socket };
enum class OnHang { report, abort, ignore };

struct JobOptions {
  std::vector<App> apps;
  std::vector<Variable> environment;  // for all programs; a program's own comes later and wins
  bool label_output = false;
  bool report_bindings = false;
  bool verbose = false;
  std::optional<std::chrono::duration<double>> timeout;
  BindTo bind_to = BindTo::automatic;
  MapBy map_by = MapBy::automatic;
  OnHang on_hang = OnHang::report;
  std::vector<settings::Given> set;  // by the command line
  settings::Values settings;         // of the job: what the command line and the environment say together

  [[nodiscard]] int ranks() const {
    int sum = 0;
    for (const App& app : apps) sum += app.ranks;
    return sum;
  }
};

}  // namespace antiphon::launch
