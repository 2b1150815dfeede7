#include "settings/given.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "abi/constants.hpp"
#include "base/error.hpp"
#include "settings/table.hpp"
#include "settings/text.hpp"

namespace antiphon::settings {

Given given(std::string_view name, std::string_view text, std::string_view shown) {
  const Setting& setting = named(name, shown);
  return {&setting, value_of(setting, text, shown)};
}

std::vector<Given> given_by_variable(std::string_view name, std::string_view text) {
  if (!name.starts_with(kVariablePrefix)) return {};
  const std::string_view rest = name.substr(kVariablePrefix.size());
  if (std::find(other_variables.begin(), other_variables.end(), rest) != other_variables.end()) return {};
  return {given(rest, text, name)};
}

std::vector<Given> given_by(const char* const* environment) {
  std::vector<Given> all;
  for (const char* const* entry = environment; *entry != nullptr; ++entry) {
    const std::string_view variable = *entry;
    const std::size_t equals = variable.find('=');
    if (equals == std::string_view::npos) continue;
    for (const Given& one : given_by_variable(variable.substr(0, equals), variable.substr(equals + 1)))
      all.push_back(one);
  }
  return all;
}

void apply(std::span<const Given> given, Values& values) {
  for (const auto& [setting, value] : given) setting->set(values, value);
}

Values of_process(const Values& job, std::span<const Given> own) {
  Values values = job;
  for (const auto& [setting, value] : own) {
    const std::int64_t agreed = setting->get(job);
    if (setting->scope == Scope::job && value != agreed)
      base::fail(
          abi::ERR_OTHER,
          fmt::format("{}='{}' differs from the job's, which is '{}': all processes of a job must agree on it, "
                      "so give it to mpiexec (--set {}={}), or to all of them alike",
                      variable_of(setting->name), text_of(*setting, value), text_of(*setting, agreed), setting->name,
                      text_of(*setting, value)));
    setting->set(values, value);
  }
  return values;
}

}  // namespace antiphon::settings
