#include "mpiexec/describe_job.hpp"

#include <fmt/format.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "common/failure.hpp"
#include "hosts/tree.hpp"
#include "mpiexec/launcher.hpp"
#include "settings/text.hpp"

namespace antiphon::launch {
namespace {

Limits my_limits() {
  Limits limits;
  limits.umask = umask(0);
  umask(static_cast<mode_t>(limits.umask));
  for (std::size_t resource = 0; resource < limits.soft.size(); ++resource) {
    rlimit limit{};
    getrlimit(static_cast<__rlimit_resource_t>(resource), &limit);
    limits.soft[resource] = limit.rlim_cur;
  }
  return limits;
}

// The name by which the user knows it, not the one without symbolic links, which other hosts may not have.
std::string my_directory() {
  std::error_code unknown;
  const std::filesystem::path real = std::filesystem::current_path(unknown);
  const char* told = std::getenv("PWD");
  if (told != nullptr && told[0] == '/' && std::filesystem::equivalent(told, real, unknown)) return told;
  return real.string();
}

Secret fresh_secret() {
  Secret secret{};
  if (getrandom(secret.data(), secret.size(), 0) != static_cast<ssize_t>(secret.size()))
    throw Failure{kExitFailure, fmt::format("cannot make a secret for the job: {}", std::strerror(errno))};
  return secret;
}

void describe_for_others(const JobOptions& options, JobDescription* job) {
  job->working_directory = my_directory();
  job->limits = my_limits();
  job->secret = fresh_secret();
  job->tell_details = options.verbose;
  job->daemon = daemon_path(options);
  job->launch = launch_command(options, bootstrap::process_environment());
  job->fan_out = choose_fan_out(options.settings.launch_fan_out, job->nodes(), job->limits.soft[RLIMIT_NOFILE]);
}

}  // namespace

JobDescription describe_job(const JobOptions& options, const JobOutput& output) {
  JobDescription job{.apps = options.apps,
                     .environment = {},
                     .variables = options.environment,
                     .settings = {},
                     .values = options.settings,
                     .bind_to = options.bind_to,
                     .map_by = options.map_by,
                     .streams = output.shapes(options.placement.is_here),
                     .places = options.placement.mapping.places,
                     .node_names = options.placement.mapping.nodes};
  for (const char* const* entry = environ; *entry != nullptr; ++entry) job.environment.emplace_back(*entry);
  for (const auto& [setting, value] : options.set)
    job.settings.push_back({settings::variable_of(setting->name), settings::text_of(*setting, value)});
  if (!options.placement.is_here) describe_for_others(options, &job);
  return job;
}

}  // namespace antiphon::launch
