#include "mpiexec/job_settings.hpp"

#include "base/error.hpp"
#include "common/failure.hpp"

namespace antiphon::launch {
namespace {

std::vector<settings::Given> given_by(const std::vector<Variable>& variables) {
  std::vector<settings::Given> all;
  for (const Variable& variable : variables)
    for (const settings::Given& one : settings::given_by_variable(variable.name, variable.value)) all.push_back(one);
  return all;
}

}  // namespace

settings::Values job_settings(const JobOptions& options, const char* const* environment) try {
  settings::Values values;
  settings::apply(settings::given_by(environment), values);
  settings::apply(given_by(options.environment), values);
  settings::apply(options.set, values);
  for (const App& app : options.apps) (void)settings::of_process(values, given_by(app.environment));
  return values;
} catch (const base::Error& error) {
  usage_error(error.message);
}

}  // namespace antiphon::launch
