#include "bootstrap/job.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "bootstrap/error_class.hpp"

namespace antiphon::bootstrap {

std::optional<std::string> Job::find(int rank, std::string_view key) const {
  if (rank < 0 || rank >= size())
    base::fail(
        kErrOther,
        fmt::format("the key '{}' was requested of rank {}, which is not a rank of this job of {} (valid: 0 to {})",
                    key, rank, size(), size() - 1));
  return look_up(rank, key);
}

std::string Job::get(int rank, std::string_view key) const {
  if (std::optional<std::string> value = find(rank, key)) return *std::move(value);
  base::fail(kErrOther, fmt::format("rank {} has not published its '{}'", rank, key));
}

int exit_status_of_abort(int code) {
  const int low_bits = code & 0xff;
  return low_bits == 0 ? 1 : low_bits;
}

}  // namespace antiphon::bootstrap
