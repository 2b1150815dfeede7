#include "hosts/allocation.hpp"

#include <fmt/format.h>

#include <charconv>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include "common/failure.hpp"
#include "common/text_file.hpp"
#include "hosts/host_file.hpp"

namespace antiphon::launch {
namespace {

using bootstrap::Environment;
using Hosts = std::vector<HostSlots>;

std::string value_of(const Environment& environment, const char* variable) {
  return environment(variable).value_or("");
}

int number_in(std::string_view text, const std::string& whole) {
  int number = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || stop != text.data() + text.size() || number < 1)
    throw std::invalid_argument(fmt::format("'{}' has '{}' where a number should be", whole, text));
  return number;
}

// Slurm writes "4(x2),3" for 4, 4 and 3.
std::vector<int> expand_counts(const char* variable, const std::string& text) {
  std::vector<int> counts;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) {
    const std::string_view all = part;
    const std::size_t open = all.find("(x");
    const bool is_repeated = open != std::string_view::npos && all.ends_with(')');
    try {
      const int times = is_repeated ? number_in(all.substr(open + 2, all.size() - open - 3), text) : 1;
      counts.insert(counts.end(), static_cast<std::size_t>(times),
                    number_in(all.substr(0, is_repeated ? open : all.size()), text));
    } catch (const std::invalid_argument& error) {
      usage_error(fmt::format("{}: {} (valid: as in 4(x2),3)", variable, error.what()));
    }
  }
  return counts;
}

Hosts of_slurm(const Environment& environment, const std::string& /*variable*/, const std::string& value) {
  const bool has_tasks = !value_of(environment, "SLURM_TASKS_PER_NODE").empty();
  const char* const counts = has_tasks ? "SLURM_TASKS_PER_NODE" : "SLURM_JOB_CPUS_PER_NODE";
  const std::vector<int> slots = expand_counts(counts, value_of(environment, counts));
  Hosts hosts;
  for (std::string& name : expand_names(value)) {
    const std::size_t index = hosts.size();
    hosts.push_back({.name = std::move(name), .slots = index < slots.size() ? slots[index] : 0});
  }
  return hosts;
}

// "h1 4 h2 4".
Hosts of_lsf(const Environment& /*environment*/, const std::string& /*variable*/, const std::string& value) {
  Hosts hosts;
  std::istringstream words(value);
  for (std::string name, slots; words >> name >> slots;)
    hosts.push_back({.name = name, .slots = number_in(slots, value)});
  return hosts;
}

// A file with lines of a host, its slots, and what does not matter here.
Hosts of_grid_engine(const Environment& /*environment*/, const std::string& variable, const std::string& value) {
  std::ifstream file = open_text_file(variable, value, "Grid Engine's file: a host and its slots a line");
  Hosts hosts;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    if (std::string name, slots; words >> name >> slots)
      hosts.push_back({.name = name, .slots = number_in(slots, line)});
  }
  return hosts;
}

struct Source {
  const char* variable;
  Hosts (*read)(const Environment&, const std::string& variable, const std::string& value);
};

Hosts of_file(const Environment& /*environment*/, const std::string& variable, const std::string& value) {
  return read_host_file(variable, value);
}

// What names hosts for an mpiexec comes first: it may be set within an allocation.
constexpr Source kSources[] = {
    {"HYDRA_HOST_FILE", of_file},
    {"OMPI_MCA_orte_default_hostfile", of_file},
    {"PRTE_MCA_prte_default_hostfile", of_file},
    {"SLURM_JOB_NODELIST", of_slurm},
    {"PBS_NODEFILE", of_file},
    {"LSB_DJOB_HOSTFILE", of_file},
    {"LSB_MCPU_HOSTS", of_lsf},
    {"PE_HOSTFILE", of_grid_engine},
};

}  // namespace

std::optional<Allocation> find_allocation(const Environment& environment) {
  for (const Source& source : kSources) {
    const std::string value = value_of(environment, source.variable);
    if (value.empty()) continue;
    try {
      Allocation allocation{.variable = source.variable,
                            .hosts = merged(source.read(environment, source.variable, value))};
      if (!allocation.hosts.empty()) return allocation;
      throw std::invalid_argument(fmt::format("'{}' names no host", value));
    } catch (const std::invalid_argument& error) {
      usage_error(fmt::format("{}: {}", source.variable, error.what()));
    }
  }
  return std::nullopt;
}

bool is_in_slurm(const Environment& environment) { return !value_of(environment, "SLURM_JOB_ID").empty(); }

}  // namespace antiphon::launch
