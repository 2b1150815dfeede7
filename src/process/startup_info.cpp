#include "process/startup_info.hpp"

#include <sys/utsname.h>

#include <filesystem>
#include <fstream>

#include "abi/constants.hpp"
#include "process/memory_kinds.hpp"

namespace antiphon::process {

using objects::Info;
using objects::Ref;

namespace {

std::vector<std::string> command_line_of_this_process() {
  std::vector<std::string> words;
  std::ifstream file("/proc/self/cmdline");
  for (std::string word; std::getline(file, word, '\0');) words.push_back(word);
  return words;
}

void set_shortened(Info& info, const char* key, const std::string& value) {
  info.set(key, std::string_view(value).substr(0, abi::MAX_INFO_VAL - 1));
}

Ref<Info> describe(const std::vector<std::string>& command_line) {
  auto info = Ref<Info>::adopt(new Info);
  if (!command_line.empty()) {
    set_shortened(*info, "command", command_line.front());
    std::string arguments;
    for (std::size_t i = 1; i < command_line.size(); ++i) arguments += (i > 1 ? " " : "") + command_line[i];
    set_shortened(*info, "argv", arguments);
  }
  if (utsname system; uname(&system) == 0) {
    set_shortened(*info, "host", system.nodename);
    set_shortened(*info, "arch", system.machine);
  }
  std::error_code unknown;
  if (const auto folder = std::filesystem::current_path(unknown); !unknown)
    set_shortened(*info, "wdir", folder.string());
  set_shortened(*info, kMemoryKindsKey, memory_kinds_of_world());
  return info;
}

}  // namespace

Ref<Info> startup_info() { return describe(command_line_of_this_process()); }

Ref<Info> startup_info(std::span<char* const> command_line) {
  return describe({command_line.begin(), command_line.end()});
}

}  // namespace antiphon::process
