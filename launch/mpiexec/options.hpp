// The user's options as a value. parse_command_line makes it; main() adds what the environment says; afterwards it is
// constant.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "hosts/host_list.hpp"
#include "hosts/mapping.hpp"
#include "node/description.hpp"
#include "settings/given.hpp"

namespace antiphon::launch {

// What starts the daemons on other hosts. `fork` starts all of them on this machine, whatever the hosts are called.
// `automatic`: the one of the resource manager whose allocation this is; otherwise ssh.
enum class Launcher { automatic, ssh, slurm, fork };

enum class OnHang { report, abort, ignore };

// Where the user wants the ranks of a program.
struct Wish {
  bool says_ranks = false;            // -n; otherwise one for each slot of the hosts
  std::optional<int> ranks_per_node;  // in place of the slots of the hosts
  std::vector<HostSlots> hosts;       // empty: those of the other programs, of the allocation, or this machine
};

// Where the ranks run.
struct Placement {
  Mapping mapping;
  bool is_here = true;  // all on this machine, as one node
};

struct JobOptions {
  std::vector<App> apps;
  std::vector<Wish> wishes;  // by program
  RankOrder rank_order = RankOrder::by_slot;
  Launcher launcher = Launcher::automatic;
  std::string launcher_exec;  // a command that takes a host and a command as its arguments; empty: that of `launcher`
  std::string prefix;         // the folder of the installation on other hosts; empty: that of this one
  Placement placement;
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
