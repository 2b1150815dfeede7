#include "programs/options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cstdlib>
#include <span>
#include <stdexcept>

#include "random_network.hpp"

namespace antiphon::sim {

using transport::sim::Conditions;

const char* const kUsage =
    R"(usage: sim_run [options] PROGRAM.so [arguments]
Runs an MPI program, compiled with -fPIC and linked with -shared, as simulated ranks in one process.
  --ranks N,M,...         how many; each number is a run of its own (2)
  --nodes K               over which ranks are dealt in blocks (1); no memory is shared between two nodes
  --seeds FIRST..LAST     what is run (1..3, or 1..15 where ANTIPHON_TEST_LONG is set; 1..ANTIPHON_SIM_SEEDS;
                          ANTIPHON_SIM_SEED alone)
  --seed S                one alone
  --conditions N=V,...    of the network, in place of what the seed says: payload, eager, least-part, least-run, in-flight,
                          delay, refuse, peer-memory, refuse-copy, system-copies, mapped, pipes, pipe-bytes
  --expect LINE           all ranks together must print this line and nothing else
  --fail-each N           each seed is run again and again, and every Nth allocation in MPI calls fails once
  --fail-calls C          those after it fail, too, until C calls have failed
  --fail-nth K            the Kth fails; --show-output shows who asked
  --timeout SECONDS       for each seed (60)
  --keep-going            after a failure
  --show-output           of runs that pass, too
  --here                  without a process for each seed: for debuggers
)";

namespace {

[[noreturn]] void fail(const std::string& text) { throw std::invalid_argument(text); }

std::uint64_t number(std::string_view text, std::string_view what) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) fail(fmt::format("{}={} is no number", what, text));
  return value;
}

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> parts;
  for (std::size_t from = 0; from <= list.size();) {
    const std::size_t comma = std::min(list.find(',', from), list.size());
    parts.push_back(list.substr(from, comma - from));
    from = comma + 1;
  }
  return parts;
}

const NetworkSizes kSizes{.payloads = {32, 40, 64, 256, 4096},
                          .eager_limits = {0, 8, 64, 300, 16384},
                          .least_parts = {64, 1000, 32768},
                          .least_runs = {1, 64, 8192},
                          .pipes = {64, 4096, 131072}};

void set(Conditions& conditions, const std::string& setting) {
  const std::size_t equals = std::min(setting.find('='), setting.size());
  const std::string name = setting.substr(0, equals);
  if (equals == setting.size()) fail(fmt::format("--conditions: {} needs a value: {}=...", name, name));
  const std::uint64_t value = number(setting.substr(equals + 1), name);
  if (name == "payload" && value < 32) fail("payload: no network's packets hold less than 32 bytes");
  if (name == "in-flight" && value < 1) fail("in-flight: a network holds one packet at least");
  if (name == "payload")
    conditions.capabilities.max_payload = value;
  else if (name == "eager")
    conditions.capabilities.eager_limit = value;
  else if (name == "least-part")
    conditions.capabilities.least_part = value;
  else if (name == "least-run")
    conditions.capabilities.least_run = value;
  else if (name == "in-flight")
    conditions.packets_per_pair = value;
  else if (name == "delay")
    conditions.max_delay = value;
  else if (name == "refuse")
    conditions.refuse_percent = static_cast<unsigned>(value);
  else if (name == "peer-memory")
    conditions.peer_memory = value != 0;
  else if (name == "refuse-copy")
    conditions.refuse_copy_percent = static_cast<unsigned>(value);
  else if (name == "system-copies")
    conditions.system_copies = value != 0;
  else if (name == "mapped")
    conditions.mapped = value != 0;
  else if (name == "pipes")
    conditions.pipes = static_cast<unsigned>(value);
  else if (name == "pipe-bytes")
    conditions.pipe_bytes = value;
  else
    fail(fmt::format("--conditions: there is no {}", name));
}

void take_seeds(Options& options, const std::string& text) {
  const std::size_t dots = text.find("..");
  if (dots == std::string::npos) fail(fmt::format("--seeds={}: FIRST..LAST is needed", text));
  options.first_seed = number(std::string_view(text).substr(0, dots), "--seeds");
  options.last_seed = number(std::string_view(text).substr(dots + 2), "--seeds");
}

}  // namespace

Options parse_options(int argc, char** argv) {
  Options options;
  if (std::getenv("ANTIPHON_TEST_LONG")) options.last_seed *= 5;
  if (const char* seeds = std::getenv("ANTIPHON_SIM_SEEDS")) options.last_seed = number(seeds, "ANTIPHON_SIM_SEEDS");
  if (const char* seed = std::getenv("ANTIPHON_SIM_SEED"))
    options.first_seed = options.last_seed = number(seed, "ANTIPHON_SIM_SEED");
  const std::span<char*> words(argv + 1, static_cast<std::size_t>(argc - 1));
  std::size_t at = 0;
  const auto value = [&](const std::string& option) -> std::string {
    if (++at == words.size()) fail(option + " needs a value");
    return words[at];
  };
  for (; at < words.size() && std::string_view(words[at]).starts_with("--"); ++at) {
    const std::string option = words[at];
    if (option == "--ranks") {
      options.ranks.clear();
      for (const std::string& each : split(value(option)))
        options.ranks.push_back(static_cast<int>(number(each, option)));
    } else if (option == "--nodes") {
      options.nodes = static_cast<int>(number(value(option), option));
    } else if (option == "--seeds") {
      take_seeds(options, value(option));
    } else if (option == "--seed") {
      options.first_seed = options.last_seed = number(value(option), option);
    } else if (option == "--conditions") {
      options.conditions = split(value(option));
    } else if (option == "--expect") {
      options.expected = value(option);
    } else if (option == "--fail-each") {
      options.fail_each = static_cast<unsigned>(number(value(option), option));
    } else if (option == "--fail-calls") {
      options.fail_calls = static_cast<unsigned>(number(value(option), option));
    } else if (option == "--fail-nth") {
      options.fail_nth = number(value(option), option);
    } else if (option == "--timeout") {
      options.timeout = static_cast<unsigned>(number(value(option), option));
    } else if (option == "--keep-going") {
      options.keep_going = true;
    } else if (option == "--show-output") {
      options.show_output = true;
    } else if (option == "--here") {
      options.here = true;
    } else {
      fail("there is no option " + option);
    }
  }
  options.command.assign(words.begin() + static_cast<std::ptrdiff_t>(at), words.end());
  if (options.command.empty()) fail("which program?");
  (void)options.conditions_of(1);
  return options;
}

Conditions Options::conditions_of(std::uint64_t seed) const {
  base::Rng rng(seed);
  Conditions all = random_network(rng, kSizes);
  for (const std::string& setting : conditions) set(all, setting);
  return all;
}

// Another network, which is slower and reaches nobody's memory.
transport::sim::Nodes Options::nodes_of(int number_of_ranks, std::uint64_t seed) const {
  if (nodes == 1) return {};
  transport::sim::Nodes made{.of_rank = {}, .between = conditions_of(~seed)};
  made.between.peer_memory = made.between.mapped = false;
  made.between.max_delay *= 10;
  for (int rank = 0; rank < number_of_ranks; ++rank) made.of_rank.push_back(rank * nodes / number_of_ranks);
  return made;
}

std::string Options::replay(int number_of_ranks, std::uint64_t seed, std::uint64_t nth) const {
  std::string text = fmt::format("sim_run --ranks {} --seed {}", number_of_ranks, seed);
  if (nodes != 1) text += fmt::format(" --nodes {}", nodes);
  if (!conditions.empty()) text += fmt::format(" --conditions {}", fmt::join(conditions, ","));
  if (nth != 0) text += fmt::format(" --fail-calls {} --fail-nth {}", fail_calls, nth);
  if (expected) text += fmt::format(" --expect '{}'", *expected);
  return fmt::format("{} {}", text, fmt::join(command, " "));
}

}  // namespace antiphon::sim
