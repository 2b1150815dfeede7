// What a node has to know of the job to run its part of it: the same for all nodes. mpiexec makes it from its command
// line and its own environment; nothing in it depends on the machine that reads it.
#pragma once

#include <sys/resource.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "bootstrap/place.hpp"
#include "broker/broker.hpp"
#include "settings/values.hpp"

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
enum class BindTo : std::uint8_t { automatic, none, hwthread, core, l3cache, numa, socket };
// The objects among which ranks are distributed in turn. `automatic`: adjacent ranks on adjacent cores.
enum class MapBy : std::uint8_t { automatic, hwthread, core, l3cache, numa, socket };

// What a rank prints to: a pipe; a terminal of the given size, where mpiexec has one, so that programs behave as
// without mpiexec; or the stream of mpiexec itself.
struct StreamShape {
  enum class Kind : std::uint8_t { pipe, terminal, own };
  Kind kind = Kind::pipe;
  std::uint16_t rows = 0, columns = 0;
};

// The limits and the file mode mask of mpiexec, for ranks on other machines; see setrlimit(2) and umask(2).
struct Limits {
  std::array<std::uint64_t, RLIM_NLIMITS> soft{};
  std::uint32_t umask = 0;
};

// What starts a command on a host: these words, the name of the host, and the command.
struct LaunchCommand {
  std::vector<std::string> words = {};  // none: all hosts are this machine
  bool has_shell = true;                // the other side gives the command to a shell, as ssh does
};

struct JobDescription {
  std::vector<App> apps = {};
  std::vector<std::string> environment = {};  // of mpiexec: NAME=VALUE
  std::vector<Variable> variables = {};       // for all programs; a program's own variables override them
  std::vector<Variable> settings = {};        // from the command line, as variables
  settings::Values values = {};
  BindTo bind_to = BindTo::automatic;
  MapBy map_by = MapBy::automatic;
  std::vector<StreamShape> streams =
      {};  // for stdout and stderr; one for both where they are the same file for mpiexec

  // Where each rank runs, and what the nodes are called.
  std::vector<bootstrap::Place> places = {};
  std::vector<std::string> node_names = {};

  // The rest is for nodes that another process runs than mpiexec itself.
  std::string working_directory = {};
  Limits limits = {};
  Secret secret{};
  PortRange ports = {};
  std::vector<std::string> interfaces = {};
  bool tell_details = false;  // how nodes reach each other
  std::string daemon = {};    // path of antiphon-node on each host
  LaunchCommand launch = {};  // for daemons on other hosts
  int fan_out = 0;            // how many daemons each may start; 0: mpiexec starts all

  [[nodiscard]] int nodes() const { return static_cast<int>(node_names.size()); }
  [[nodiscard]] int ranks() const { return static_cast<int>(places.size()); }
};

// The program of a rank: ranks are numbered in the order of the programs.
[[nodiscard]] std::size_t app_of(const JobDescription& job, int rank);

}  // namespace antiphon::launch
