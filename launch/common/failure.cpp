#include "common/failure.hpp"

#include <unistd.h>

#include <cerrno>

namespace antiphon::launch {

void tell(std::string_view text) {
  std::string lines;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    lines.append("mpiexec: ").append(line).append("\n");
    text.remove_prefix(std::min(text.size(), line.size() + 1));
  }
  for (std::string_view rest = lines; !rest.empty();) {
    const ssize_t written = write(STDERR_FILENO, rest.data(), rest.size());
    if (written < 0 && errno != EINTR) return;  // stderr cannot be written
    if (written > 0) rest.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace antiphon::launch
