#include "bootstrap/bootstrap.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "bootstrap/error_class.hpp"
#include "bootstrap/foreign.hpp"
#include "bootstrap/native.hpp"
#include "bootstrap/singleton.hpp"

namespace antiphon::bootstrap {
namespace {

int required_number(const Environment& environment, const char* variable) {
  if (const std::optional<int> value = number(environment, variable)) return *value;
  base::fail(kErrOther,
             fmt::format("{}='{}' is no number, but mpiexec sets {} and {} together, each to one", variable,
                         environment(variable).value_or("(not set)"), kJobFdVariable, kRankVariable));
}

}  // namespace

std::unique_ptr<Bootstrap> discover(const Environment& environment) {
  if (environment(kSingletonVariable).value_or("0") == "1") return Singleton::create();
  if (environment(kJobFdVariable) || environment(kRankVariable)) {
    const int fd = required_number(environment, kJobFdVariable);
    return Native::attach(fd, required_number(environment, kRankVariable));
  }
  if (const std::optional<std::string> complaint = foreign_launcher(environment)) base::fail(kErrOther, *complaint);
  return Singleton::create();
}

int exit_status_of_abort(int code) {
  const int low_bits = code & 0xff;
  return low_bits == 0 && code != 0 ? 1 : low_bits;
}

}  // namespace antiphon::bootstrap
