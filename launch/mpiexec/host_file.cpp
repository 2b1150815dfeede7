#include "mpiexec/host_file.hpp"

#include <sstream>

#include "common/text_file.hpp"

namespace antiphon::launch {

std::vector<HostLine> read_host_file(const std::string& option, const std::string& path) {
  constexpr const char* kValid = "a file that names one host a line";
  std::ifstream file = open_text_file(option, path, kValid);
  std::vector<HostLine> hosts;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    std::istringstream words(line.substr(0, line.find('#')));
    std::string host;
    if (words >> host) hosts.push_back({number, host});
  }
  if (hosts.empty()) fail_file(option, path, "names no host", kValid);
  return hosts;
}

}  // namespace antiphon::launch
