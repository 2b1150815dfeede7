#include "mpiexec/option_table.hpp"

#include <fmt/format.h>

#include <sys/utsname.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "base/error.hpp"
#include "base/nearest.hpp"
#include "bootstrap/job_segment.hpp"
#include "bootstrap/node_segment.hpp"
#include "common/failure.hpp"
#include "common/names.hpp"
#include "hosts/host.hpp"
#include "hosts/host_file.hpp"
#include "mpiexec/foreign_options.hpp"
#include "settings/text.hpp"

namespace antiphon::launch {
namespace {

constexpr int kMostRanks = 1'000'000;  // of a job; how many a host may have is checked when ranks are placed

int parse_ranks(const Use& use, std::string_view text) {
  int ranks = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, ranks);
  if (error != std::errc{} || stop != end || ranks < 1 || ranks > kMostRanks) {
    usage_error(fmt::format("{}: '{}' is not a number of ranks (valid: 1 to {})", use.spelling, text, kMostRanks));
  }
  return ranks;
}

int parse_ranks(const Use& use) { return parse_ranks(use, use.value()); }

std::chrono::duration<double> parse_seconds(const Use& use) {
  char* stop = nullptr;
  const double seconds = std::strtod(use.value().c_str(), &stop);
  if (use.value().empty() || *stop != '\0' || !std::isfinite(seconds) || seconds <= 0) {
    usage_error(
        fmt::format("{}: '{}' is not a time in seconds (valid: a number above 0)", use.spelling, use.value()));
  }
  return std::chrono::duration<double>(seconds);
}

Variable checked_variable(const Use& use, std::string name, std::string value) {
  if (name.empty() || name.find('=') != std::string::npos) {
    usage_error(fmt::format("{}: '{}' is not the name of a variable", use.spelling, name));
  }
  return {std::move(name), std::move(value)};
}

// NAME=VALUE sets a variable. NAME alone asks to pass on a variable of mpiexec's environment, which ranks inherit
// anyway.
void export_variable(const Use& use) {
  const std::string& text = use.value();
  const std::size_t equals = text.find('=');
  if (equals != std::string::npos) {
    use.app.environment.push_back(checked_variable(use, text.substr(0, equals), text.substr(equals + 1)));
  } else if (std::getenv(text.c_str()) == nullptr) {
    tell("warning: {} {}: no such variable in the environment of mpiexec", use.spelling, text);
  }
}

template <typename Choice>
struct Named {
  std::string_view name;
  Choice choice;
};

template <typename Choice, std::size_t count>
Choice parse_choice(const Use& use, const Named<Choice> (&choices)[count]) {
  // Ignores Open MPI's modifiers, as in core:overload-allowed: they request what mpiexec always does.
  const std::string_view name = std::string_view{use.value()}.substr(0, use.value().find(':'));
  std::string valid;
  for (const auto& known : choices) {
    if (known.name == name) return known.choice;
    valid += (valid.empty() ? "" : ", ") + std::string{known.name};
  }
  usage_error(fmt::format("{}: '{}' is unknown (valid: {})", use.spelling, use.value(), valid));
}

constexpr Named<BindTo> kBindings[] = {
    {"none", BindTo::none}, {"core", BindTo::core},     {"hwthread", BindTo::hwthread}, {"l3cache", BindTo::l3cache},
    {"numa", BindTo::numa}, {"socket", BindTo::socket}, {"package", BindTo::socket},
};
constexpr Named<MapBy> kMappings[] = {
    {"core", MapBy::core},     {"hwthread", MapBy::hwthread}, {"l3cache", MapBy::l3cache}, {"numa", MapBy::numa},
    {"socket", MapBy::socket}, {"package", MapBy::socket},    {"slot", MapBy::automatic},  {"node", MapBy::automatic},
};
constexpr Named<Launcher> kLaunchers[] = {
    {"ssh", Launcher::ssh}, {"rsh", Launcher::ssh}, {"slurm", Launcher::slurm}, {"fork", Launcher::fork}};
constexpr Named<OnHang> kHangActions[] = {
    {"report", OnHang::report}, {"abort", OnHang::abort}, {"ignore", OnHang::ignore}};

// Open MPI's ppr:N:node only says how many ranks each node gets. `node` and `slot` are about hosts, the rest about
// what is in a host.
void map_ranks(const Use& use) {
  constexpr std::string_view kPerNode = "ppr:";
  const std::string_view text = use.value();
  if (text.starts_with(kPerNode) && text.ends_with(":node")) {
    const std::string_view rest = text.substr(kPerNode.size());
    use.asked.ranks_per_node = parse_ranks(use, rest.substr(0, rest.find(':')));
    return;
  }
  use.job.map_by = parse_choice(use, kMappings);
  if (text.starts_with("node")) use.job.rank_order = RankOrder::by_node;
  if (text.starts_with("slot")) use.job.rank_order = RankOrder::by_slot;
}

void add_hosts(const Use& use) {
  if (use.value().empty()) usage_error(fmt::format("{}: '' names no host (valid: h1:4,h2)", use.spelling));
  try {
    std::ranges::move(parse_hosts(use.value()), std::back_inserter(use.asked.hosts));
  } catch (const std::invalid_argument& error) {
    usage_error(fmt::format("{}: {}", use.spelling, error.what()));
  }
}

void read_hosts(const Use& use) {
  std::ranges::move(read_host_file(std::string{use.spelling}, use.value()), std::back_inserter(use.asked.hosts));
}

void check_architecture(const Use& use) {
  const auto same = [](std::string_view text) {  // x86-64, x86_64 and X86_64 are the same
    std::string plain{text};
    for (char& c : plain) c = c == '-' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return plain == "amd64" ? "x86_64" : plain;
  };
  utsname system{};
  if (uname(&system) == 0 && same(use.value()) != same(system.machine))
    usage_error(
        fmt::format("{}: '{}' is not the architecture of this machine, and all hosts must have the same "
                    "(valid: {})",
                    use.spelling, use.value(), system.machine));
}

// Sets this setting for the next program only, by a variable in the environment of its ranks.
void set_initial_errhandler(const Use& use) {
  constexpr std::string_view kSetting = "initial_errhandler";
  try {
    (void)settings::given(kSetting, use.value(), use.spelling);
  } catch (const base::Error& error) {
    usage_error(error.message);
  }
  use.app.environment.push_back({settings::variable_of(kSetting), use.value()});
}

// The ranks find out which of the requested kinds are supported.
void ask_for_memory_kinds(const Use& use) {
  use.app.environment.push_back({bootstrap::kMemoryKindsVariable, use.value()});
}

// Checks NAME=VALUE at once, so that no rank is started with a setting that would be refused later.
void set_setting(const Use& use) {
  const std::string& text = use.value();
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos)
    usage_error(fmt::format("{}: '{}' has no value (valid: {} NAME=VALUE)", use.spelling, text, use.spelling));
  const std::string name = text.substr(0, equals);
  try {
    use.job.set.push_back(settings::given(name, text.substr(equals + 1), name));
  } catch (const base::Error& error) {
    usage_error(fmt::format("{}: {}", use.spelling, error.message));
  }
}

// An empty value is probably an unset variable of a script, not a request for the current directory.
std::string named_directory(const Use& use) {
  if (use.value().empty()) usage_error(fmt::format("{}: '' is not a directory", use.spelling));
  return use.value();
}

void accept(const Use& /*use*/) {}

constexpr Option kOptions[] = {
    {"n np c", "N", "start N ranks of the next program (default 1)",
     [](const Use& use) { use.asked.ranks = parse_ranks(use); }},
    {"soft", "TRIPLETS", "start the greatest number up to N that is in a list of ranges a:b:c (a to b, step c)",
     [](const Use& use) { use.asked.soft = use.written(); }},
    {"ppn npernode N perhost ntasks-per-node", "N", "start N ranks on each host before the next one gets any",
     [](const Use& use) { use.asked.ranks_per_node = parse_ranks(use); }},
    {"x", "VAR[=VALUE]", "set an environment variable for the next program", export_variable},
    {"env", "VAR VALUE", "the same, with the value as a word of its own",
     [](const Use& use) { use.app.environment.push_back(checked_variable(use, use.values[0], use.values[1])); }},
    {"genv", "VAR VALUE", "set an environment variable for all programs",
     [](const Use& use) { use.job.environment.push_back(checked_variable(use, use.values[0], use.values[1])); }},
    {"wdir wd chdir", "DIR", "start the next program in this directory",
     [](const Use& use) { use.app.working_directory = named_directory(use); }},
    {"path", "DIRS", "search for the next program in DIR:DIR:... before PATH",
     [](const Use& use) { use.app.search_path = use.value(); }},
    {"file configfile app", "FILE", "read programs and their options from FILE, one program a line",
     [](const Use& use) { use.asked.file = use.written(); }},
    {"initial-errhandler", "HANDLER",
     "error handler at the start: mpi_errors_are_fatal (default), mpi_errors_abort,\n"
     "or mpi_errors_return",
     set_initial_errhandler},
    {"memory-alloc-kinds memory-allocation-kinds", "KINDS",
     "kinds of memory that the next program will use: mpi, system", ask_for_memory_kinds},
    {"v verbose", "", "print what is started, and where", [](const Use& use) { use.job.verbose = true; }},
    {"l label prepend-rank tag-output", "", "begin each line of output with the rank that printed it",
     [](const Use& use) { use.job.label_output = true; }},
    {"timeout", "SECONDS", "end the job after this time with exit status 124 (also: MPIEXEC_TIMEOUT)",
     [](const Use& use) { use.job.timeout = parse_seconds(use); }},
    {"bind-to", "WHERE",
     "bind each rank to one core, hwthread, l3cache, numa, socket, or to none\n"
     "(default: core if there is one for each rank)",
     [](const Use& use) { use.job.bind_to = parse_choice(use, kBindings); }},
    {"map-by", "WHAT",
     "place ranks in turn on each node, core, hwthread, l3cache, numa, socket;\n"
     "ppr:N:node is --ppn N",
     map_ranks},
    {"report-bindings", "", "print the CPUs that each rank is bound to",
     [](const Use& use) { use.job.report_bindings = true; }},
    {"on-hang", "ACTION",
     "if all ranks wait for each other: report who waits for whom (default),\n"
     "abort with exit status 123 after the report, or ignore",
     [](const Use& use) { use.job.on_hang = parse_choice(use, kHangActions); }},
    {"set", "NAME=VALUE", "change a setting for the job; antiphon-info --settings lists all", set_setting},
    {"counters", "", "print what the ranks counted when the job ends (same as --set counters=on)",
     [](const Use& use) { use.job.set.push_back(settings::given("counters", "on", use.spelling)); }},
    {"host H hosts", "HOSTS", "run on these hosts, h1:4,h2: four ranks on h1 before h2 gets one", add_hosts},
    {"hostfile machinefile f", "FILE", "run on the hosts in FILE: a host a line, as h1:4 or h1 slots=4", read_hosts},
    {"launcher bootstrap", "HOW", "start ranks on other hosts by ssh or slurm; fork: all hosts are this machine",
     [](const Use& use) { use.job.launcher = parse_choice(use, kLaunchers); }},
    {"launcher-exec bootstrap-exec", "PATH", "start ranks on other hosts by PATH HOST COMMAND",
     [](const Use& use) { use.job.launcher_exec = use.value(); }},
    {"prefix", "DIR", "the folder of Antiphon's installation on other hosts (default: that of mpiexec)",
     [](const Use& use) { use.job.prefix = named_directory(use); }},
    {"arch", "ARCH", "architecture to run on; only that of this machine is possible", check_architecture},
    {"help h ?", "", "print this text", [](const Use& use) { use.wants_help = true; }},
    {"version V", "", "print the version", [](const Use& use) { use.wants_version = true; }},
    {"oversubscribe allow-run-as-root use-hwthread-cpus genvall envall q quiet", "", "", accept},
};

// The name as --help shows it: with one dash if it is a single letter, otherwise with two.
std::string with_dashes(std::string_view name) { return (name.size() == 1 ? "-" : "--") + std::string{name}; }

}  // namespace

const Option* find_option(std::string_view name) {
  const auto found =
      std::ranges::find_if(kOptions, [&](const Option& option) { return has_name(option.names, name); });
  return found == std::end(kOptions) ? nullptr : found;
}

void unknown_option(std::string_view name, std::string_view spelling) {
  if (const std::optional<std::string_view> instead = what_to_use_instead(name))
    usage_error(fmt::format("{}: {}", spelling, *instead));
  std::vector<std::string_view> known;
  for (const Option& option : kOptions) std::ranges::copy(split_names(option.names), std::back_inserter(known));
  const std::optional<std::string_view> meant = base::nearest(name, known);
  usage_error(fmt::format("unknown option '{}'{} (mpiexec --help lists all)", spelling,
                          meant ? fmt::format(", did you mean '{}'?", with_dashes(*meant)) : ""));
}

// Each option is on one line with its help, which begins at one column; the rest of its help follows on lines of its
// own.
std::string help_text() {
  constexpr std::size_t kHelpColumn = 24;
  std::string text =
      "usage: mpiexec [options] program [arguments] [: [options] program [arguments]]...\n\n"
      "Runs MPI programs on this machine and on others. Exit status: 0 if no rank failed, otherwise that of the "
      "first rank that "
      "failed,\n"
      "or 128 + the number of the signal that ended it.\n\n";
  for (const Option& option : kOptions) {
    if (option.help.empty()) continue;
    const std::string_view name = split_names(option.names).front();
    std::string left = fmt::format("  {} {}", with_dashes(name), option.values);
    if (left.size() > kHelpColumn) text += std::exchange(left, "") + '\n';
    std::string_view rest = option.help;
    for (std::size_t end; !rest.empty(); rest.remove_prefix(std::min(rest.size(), end + 1))) {
      end = std::min(rest.find('\n'), rest.size());
      text += fmt::format("{:<{}} {}\n", std::exchange(left, ""), kHelpColumn, rest.substr(0, end));
    }
  }
  return text;
}

}  // namespace antiphon::launch
