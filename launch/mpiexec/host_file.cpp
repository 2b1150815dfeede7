#include "mpiexec/host_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "mpiexec/failure.hpp"

namespace antiphon::launch {

std::vector<HostLine> read_host_file(const std::string& option, const std::string& path) {
  const auto fail = [&](const char* why) {
    throw Failure{kExitUsage,
                  fmt::format("{}: '{}' {} (valid: a file that names one host a line)", option, path, why)};
  };
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) fail("is a directory");
  errno = 0;
  std::ifstream file(path);
  if (!file) fail(fmt::format("cannot be read: {}", std::strerror(errno)).c_str());

  std::vector<HostLine> hosts;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    std::istringstream words(line.substr(0, line.find('#')));
    std::string host;
    if (words >> host) hosts.push_back({number, host});
  }
  if (hosts.empty()) fail("names no host");
  return hosts;
}

}  // namespace antiphon::launch
