#include "common/text_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "common/failure.hpp"

namespace antiphon::launch {

void fail_file(const std::string& option, const std::string& path, const std::string& why, const char* valid) {
  usage_error(fmt::format("{}: '{}' {} (valid: {})", option, path, why, valid));
}

std::ifstream open_text_file(const std::string& option, const std::string& path, const char* valid) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) fail_file(option, path, "is a directory", valid);
  errno = 0;
  std::ifstream file(path);
  if (!file) fail_file(option, path, fmt::format("cannot be read: {}", std::strerror(errno)), valid);
  return file;
}

}  // namespace antiphon::launch
