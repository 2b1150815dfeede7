#include "wire/greeting.hpp"

#include <fmt/format.h>

#include <bit>

#include "bootstrap/job_segment.hpp"
#include "node/events.hpp"
#include "settings/digest.hpp"

namespace antiphon::launch {
namespace {

constexpr std::string_view kFirst = "antiphon-node ";
// Changes with any order, event or struct in them.
constexpr int kProtocol = 1;

}  // namespace

Greeting my_greeting() {
  return {.version = ANTIPHON_VERSION,
          .build = fmt::format("{}-endian.{}-bit.protocol-{}.layout-{}.header-{}.settings-{:x}.view-{}",
                               std::endian::native == std::endian::little ? "little" : "big", 8 * sizeof(void*),
                               kProtocol, bootstrap::kJobLayoutVersion, sizeof(bootstrap::Header),
                               settings::kTableDigest, sizeof(RankView))};
}

std::string to_line(const Greeting& greeting) {
  return fmt::format("{}{} {}", kFirst, greeting.version, greeting.build);
}

std::optional<Greeting> read_greeting(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (!line.starts_with(kFirst)) return std::nullopt;
  line.remove_prefix(kFirst.size());
  const std::size_t blank = line.find(' ');
  if (blank == std::string_view::npos) return std::nullopt;
  return Greeting{.version = std::string{line.substr(0, blank)}, .build = std::string{line.substr(blank + 1)}};
}

}  // namespace antiphon::launch
