#include "mpiexec/command_line.hpp"

#include <fmt/format.h>

#include <sys/utsname.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <stdexcept>
#include <string_view>

#include "base/error.hpp"
#include "base/nearest.hpp"
#include "bootstrap/job_segment.hpp"
#include "bootstrap/node_segment.hpp"
#include "mpiexec/application_file.hpp"
#include "mpiexec/failure.hpp"
#include "mpiexec/foreign_options.hpp"
#include "mpiexec/host.hpp"
#include "mpiexec/host_file.hpp"
#include "mpiexec/names.hpp"
#include "mpiexec/soft_ranks.hpp"
#include "settings/text.hpp"

namespace antiphon::launch {
namespace {

[[noreturn]] void usage_error(std::string message) { throw Failure{kExitUsage, std::move(message)}; }

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

int parse_ranks(const Use& use, std::string_view text) {
  int ranks = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, ranks);
  if (error != std::errc{} || stop != end || ranks < 1 || ranks > static_cast<int>(bootstrap::kMaxRanks)) {
    usage_error(
        fmt::format("{}: '{}' is not a number of ranks (valid: 1 to {})", use.spelling, text, bootstrap::kMaxRanks));
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

// NAME=VALUE sets; NAME alone passes on what mpiexec has, which ranks inherit anyway.
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
  // Open MPI's modifiers (core:overload-allowed) ask for what is the rule here.
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
constexpr Named<OnHang> kHangActions[] = {
    {"report", OnHang::report}, {"abort", OnHang::abort}, {"ignore", OnHang::ignore}};

// Open MPI's ppr:N:node says how many ranks a node gets, and no more.
void map_ranks(const Use& use) {
  constexpr std::string_view kPerNode = "ppr:";
  const std::string_view text = use.value();
  if (!text.starts_with(kPerNode) || !text.ends_with(":node")) {
    use.job.map_by = parse_choice(use, kMappings);
    return;
  }
  const std::string_view rest = text.substr(kPerNode.size());
  use.asked.ranks_per_node = parse_ranks(use, rest.substr(0, rest.find(':')));
}

// HOST[:SLOTS] is accepted as long as it is this one.
void check_host(std::string_view where, std::string_view entry) {
  const std::string_view host = is_this_host(entry) ? entry : entry.substr(0, entry.find(':'));
  if (!is_this_host(host)) {
    usage_error(
        fmt::format("{}: '{}' is not this machine ({}), and this mpiexec starts ranks here only (valid: "
                    "localhost)",
                    where, host, host_name()));
  }
}

// Separated by commas.
void check_hosts(const Use& use) {
  if (use.value().empty()) usage_error(fmt::format("{}: '' names no host (valid: localhost)", use.spelling));
  for (std::string_view rest = use.value(); !rest.empty();) {
    const std::string_view entry = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), entry.size() + 1));
    check_host(use.spelling, entry);
  }
}

void check_host_file(const Use& use) {
  for (const HostLine& line : read_host_file(std::string{use.spelling}, use.value()))
    check_host(fmt::format("{}: line {} of {}", use.spelling, line.number, use.value()), line.host);
}

void check_architecture(const Use& use) {
  const auto same = [](std::string_view text) {  // x86-64 is x86_64, and X86_64
    std::string plain{text};
    for (char& c : plain) c = c == '-' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return plain == "amd64" ? "x86_64" : plain;
  };
  utsname system{};
  if (uname(&system) == 0 && same(use.value()) != same(system.machine))
    usage_error(
        fmt::format("{}: '{}' is not the architecture of this machine, and this mpiexec starts ranks here only "
                    "(valid: {})",
                    use.spelling, use.value(), system.machine));
}

// A setting of the program that follows alone; ranks find it in their environment.
void set_initial_errhandler(const Use& use) {
  constexpr std::string_view kSetting = "initial_errhandler";
  try {
    (void)settings::given(kSetting, use.value(), use.spelling);
  } catch (const base::Error& error) {
    usage_error(error.message);
  }
  use.app.environment.push_back({settings::variable_of(kSetting), use.value()});
}

// Which of them there are, ranks find out.
void ask_for_memory_kinds(const Use& use) {
  use.app.environment.push_back({bootstrap::kMemoryKindsVariable, use.value()});
}

// NAME=VALUE, checked here and now: nothing is started with a setting that would be refused later.
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

// An empty one is a variable that was not set in somebody's script, not the current directory.
std::string named_directory(const Use& use) {
  if (use.value().empty()) usage_error(fmt::format("{}: '' is not a directory", use.spelling));
  return use.value();
}

struct Option {
  std::string_view names;   // without dashes, separated by blanks; the first is shown with two
  std::string_view values;  // placeholders, separated by blanks: as many words are taken
  std::string_view help;    // empty: understood for the sake of other launchers' users, not advertised
  void (*apply)(const Use&);
};

void accept(const Use& /*use*/) {}

constexpr Option kOptions[] = {
    {"n np c", "N", "start N ranks of the program that follows (default 1)",
     [](const Use& use) { use.asked.ranks = parse_ranks(use); }},
    {"soft", "TRIPLETS", "or the greatest number up to N in one of a:b:c,..., ranges with a step",
     [](const Use& use) { use.asked.soft = use.written(); }},
    {"ppn npernode N perhost ntasks-per-node", "N", "start N ranks on each node; there is one",
     [](const Use& use) { use.asked.ranks_per_node = parse_ranks(use); }},
    {"x", "VAR[=VALUE]", "set a variable for the program that follows", export_variable},
    {"env", "VAR VALUE", "set a variable for the program that follows, as two words",
     [](const Use& use) { use.app.environment.push_back(checked_variable(use, use.values[0], use.values[1])); }},
    {"genv", "VAR VALUE", "set a variable for all programs",
     [](const Use& use) { use.job.environment.push_back(checked_variable(use, use.values[0], use.values[1])); }},
    {"wdir wd chdir", "DIR", "start the program that follows in DIR",
     [](const Use& use) { use.app.working_directory = named_directory(use); }},
    {"path", "DIRS", "look for the program that follows there first, in DIR:DIR:...",
     [](const Use& use) { use.app.search_path = use.value(); }},
    {"file configfile app", "FILE", "in place of a program: a file with options and a program in each line",
     [](const Use& use) { use.asked.file = use.written(); }},
    {"initial-errhandler", "HANDLER", "mpi_errors_are_fatal (default), mpi_errors_abort or mpi_errors_return",
     set_initial_errhandler},
    {"memory-alloc-kinds memory-allocation-kinds", "KINDS", "kinds of memory that the program will use: mpi, system",
     ask_for_memory_kinds},
    {"v verbose", "", "say what is started, and where", [](const Use& use) { use.job.verbose = true; }},
    {"l label prepend-rank tag-output", "", "start each line of output with [rank]",
     [](const Use& use) { use.job.label_output = true; }},
    {"timeout", "SECONDS", "end the job after that time, with exit status 124 (also: MPIEXEC_TIMEOUT)",
     [](const Use& use) { use.job.timeout = parse_seconds(use); }},
    {"bind-to", "WHERE", "bind ranks: none, core, hwthread, l3cache, numa, socket (default: core if all fit)",
     [](const Use& use) { use.job.bind_to = parse_choice(use, kBindings); }},
    {"map-by", "WHAT", "deal ranks over: core, hwthread, l3cache, numa, socket; ppr:N:node is -ppn N", map_ranks},
    {"report-bindings", "", "print the cpus of each rank", [](const Use& use) { use.job.report_bindings = true; }},
    {"on-hang", "ACTION", "when all ranks wait for each other: report (default), abort (status 123), ignore",
     [](const Use& use) { use.job.on_hang = parse_choice(use, kHangActions); }},
    {"set", "NAME=VALUE", "a setting for the whole job; antiphon-info --settings lists them", set_setting},
    {"counters", "", "count what the ranks do, and print it when the job ends (--set counters=on)",
     [](const Use& use) { use.job.set.push_back(settings::given("counters", "on", use.spelling)); }},
    {"host H hosts", "HOST", "accepted as long as it is this machine", check_hosts},
    {"arch", "ARCH", "accepted as long as it is this machine's", check_architecture},
    {"hostfile machinefile f", "FILE", "accepted as long as each host that FILE names, one a line, is this machine",
     check_host_file},
    {"help h ?", "", "print this text", [](const Use& use) { use.wants_help = true; }},
    {"version V", "", "print the version", [](const Use& use) { use.wants_version = true; }},
    {"oversubscribe allow-run-as-root use-hwthread-cpus genvall envall q quiet", "", "", accept},
};

std::size_t value_count(const Option& option) { return split_names(option.values).size(); }

// As help shows it: one dash for a single letter, two for a word.
std::string with_dashes(std::string_view name) { return (name.size() == 1 ? "-" : "--") + std::string{name}; }

const Option* find_option(std::string_view name) {
  const auto found =
      std::ranges::find_if(kOptions, [&](const Option& option) { return has_name(option.names, name); });
  return found == std::end(kOptions) ? nullptr : found;
}

[[noreturn]] void unknown_option(std::string_view name, std::string_view spelling) {
  if (const std::optional<std::string_view> instead = what_to_use_instead(name))
    usage_error(fmt::format("{}: {}", spelling, *instead));
  std::vector<std::string_view> known;
  for (const Option& option : kOptions) std::ranges::copy(split_names(option.names), std::back_inserter(known));
  const std::optional<std::string_view> meant = base::nearest(name, known);
  usage_error(fmt::format("unknown option '{}'{} (mpiexec --help lists all)", spelling,
                          meant ? fmt::format(", did you mean '{}'?", with_dashes(*meant)) : ""));
}

// -n4: how much of the name is one that takes a number, if a number is what follows.
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
    if (job_.ranks() > static_cast<int>(bootstrap::kMaxRanks)) {
      usage_error(fmt::format("{} ranks in all are too many (valid: up to {})", job_.ranks(), bootstrap::kMaxRanks));
    }
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
    if (!rest_.empty() && rest_.front() == "--") take();  // what follows is a program, whatever it looks like
    while (!rest_.empty() && rest_.front() != ":") app.command.push_back(take());
    if (asked.file) return parse_file(*asked.file, app);
    if (app.command.empty()) {
      usage_error(job_.apps.empty()
                      ? "no program to run (usage: mpiexec -n N program arguments)"
                      : fmt::format("no program after ':' (program specification {})", job_.apps.size() + 1));
    }
    app.ranks = ranks_of(asked);
    job_.apps.push_back(std::move(app));
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

  // Its lines are program specifications like others.
  void parse_file(const Written& file, const App& app) {
    if (!app.command.empty())
      usage_error(
          fmt::format("{}: '{}' and the file cannot both say what to run", file.spelling, app.command.front()));
    if (in_file_) usage_error(fmt::format("{}: a line of such a file names no other", file.spelling));
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

  // NAME VALUE, or NAME=VALUE for options with one value, or, of a number, without anything between.
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

std::string help_text() {
  std::string text =
      "usage: mpiexec [options] program [arguments] [: [options] program [arguments]]...\n\n"
      "Runs MPI programs on this machine. The exit status is that of the first rank that failed (128 + the signal's\n"
      "number if a signal ended it), 0 if none did.\n\n";
  for (const Option& option : kOptions) {
    if (option.help.empty()) continue;
    const std::string_view name = split_names(option.names).front();
    text += fmt::format("  {:<22} {}\n", fmt::format("{} {}", with_dashes(name), option.values), option.help);
  }
  return text;
}

}  // namespace antiphon::launch
