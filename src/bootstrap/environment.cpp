#include "bootstrap/environment.hpp"

#include <charconv>
#include <cstdlib>

namespace antiphon::bootstrap {

Environment process_environment() {
  return [](const char* variable) -> std::optional<std::string> {
    const char* value = std::getenv(variable);
    if (value == nullptr) return std::nullopt;
    return value;
  };
}

std::optional<int> number(const Environment& environment, const char* variable) {
  const std::optional<std::string> text = environment(variable);
  if (!text) return std::nullopt;
  int value = 0;
  const char* end = text->data() + text->size();
  const auto [stop, error] = std::from_chars(text->data(), end, value);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

}  // namespace antiphon::bootstrap
