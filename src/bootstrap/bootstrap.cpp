#include "bootstrap/bootstrap.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "bootstrap/error_class.hpp"
#include "bootstrap/foreign.hpp"
#include "bootstrap/managed.hpp"
#include "bootstrap/managers/find_manager.hpp"
#include "bootstrap/native.hpp"
#include "bootstrap/singleton.hpp"

namespace antiphon::bootstrap {
namespace {

int required_number(const Environment& environment, const char* variable) {
  if (const std::optional<int> value = number(environment, variable)) return *value;
  base::fail(kErrOther, fmt::format("{}='{}' is not a number, but mpiexec sets both {} and {} to numbers", variable,
                                    environment(variable).value_or("(not set)"), kJobFdVariable, kRankVariable));
}

Bootstrap singleton(const settings::Values& settings) {
  std::unique_ptr<NodeSegment> node = Singleton::create_node(settings);
  auto job = std::make_unique<Singleton>(*node);
  return {std::move(node), std::move(job)};
}

Bootstrap native(int fd, int rank) {
  std::unique_ptr<NodeSegment> node = Native::attach(fd);
  auto job = std::make_unique<Native>(*node, rank);
  return {std::move(node), std::move(job)};
}

}  // namespace

Bootstrap discover(const Environment& environment, const settings::Values& alone) {
  if (environment(kSingletonVariable).value_or("0") == "1") return singleton(alone);
  if (environment(kJobFdVariable) || environment(kRankVariable)) {
    const int fd = required_number(environment, kJobFdVariable);
    return native(fd, required_number(environment, kRankVariable));
  }
  if (std::unique_ptr<ProcessManager> manager = find_manager(environment))
    return Managed::join(std::move(manager), alone);
  if (const std::optional<std::string> complaint = foreign_launcher(environment)) base::fail(kErrOther, *complaint);
  return singleton(alone);
}

}  // namespace antiphon::bootstrap
