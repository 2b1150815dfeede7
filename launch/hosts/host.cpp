#include "hosts/host.hpp"

#include <unistd.h>

#include <array>

namespace antiphon::launch {
namespace {

std::string_view without_domain(std::string_view name) { return name.substr(0, name.find('.')); }

}  // namespace

std::string host_name() {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0) return "localhost";
  return name.data();
}

bool is_this_host(std::string_view name) {
  if (name == "localhost" || name == "127.0.0.1" || name == "::1") return true;
  const std::string mine = host_name();
  return name == mine || (name == without_domain(mine) || without_domain(name) == mine);
}

}  // namespace antiphon::launch
