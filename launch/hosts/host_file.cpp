#include "hosts/host_file.hpp"

#include <fmt/format.h>

#include <sstream>
#include <stdexcept>

#include "common/failure.hpp"
#include "common/text_file.hpp"

namespace antiphon::launch {
namespace {

constexpr const char* kValid = "a file with one host a line, as in 'h1', 'h1:4' or 'h1 slots=4 max_slots=8'";

// `slots=4`, `max_slots=8`, and the spellings of other launchers.
void take_option(const std::string& word, std::vector<HostSlots>* hosts) {
  const std::size_t equals = word.find('=');
  std::string name = word.substr(0, equals);
  for (char& c : name) c = c == '-' ? '_' : c;
  const bool is_slots = name == "slots" || name == "cpu" || name == "count";
  if (!is_slots && name != "max_slots")
    throw std::invalid_argument(fmt::format("'{}' is unknown after a host (valid: slots=N, max_slots=N)", word));
  const std::string number = equals == std::string::npos ? "" : word.substr(equals + 1);
  const std::optional<int> slots = parse_slots(number);
  if (!slots)
    throw std::invalid_argument(fmt::format("'{}' is not a number of slots (valid: {}=1 and more)", number, name));
  for (HostSlots& host : *hosts) (is_slots ? host.slots : host.max_slots) = *slots;
}

std::vector<HostSlots> parse_line(const std::string& line) {
  std::istringstream words(line.substr(0, line.find('#')));
  std::string word;
  if (!(words >> word)) return {};
  std::vector<HostSlots> hosts = parse_hosts(word);
  while (words >> word) take_option(word, &hosts);
  return hosts;
}

}  // namespace

std::vector<HostSlots> read_host_file(const std::string& option, const std::string& path) {
  std::ifstream file = open_text_file(option, path, kValid);
  std::vector<HostSlots> hosts;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    try {
      for (HostSlots& host : parse_line(line)) hosts.push_back(std::move(host));
    } catch (const std::invalid_argument& error) {
      usage_error(fmt::format("{}: line {} of {}: {}", option, number, path, error.what()));
    }
  }
  if (hosts.empty()) fail_file(option, path, "names no host", kValid);
  return hosts;
}

}  // namespace antiphon::launch
