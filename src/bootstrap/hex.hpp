// Bytes as text that every process manager carries: two hexadecimal digits each.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace antiphon::bootstrap {

[[nodiscard]] inline std::string to_hex(std::span<const std::byte> bytes) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string text;
  for (const std::byte byte : bytes) {
    text += kDigits[std::to_integer<unsigned>(byte) >> 4];
    text += kDigits[std::to_integer<unsigned>(byte) & 15];
  }
  return text;
}

// False unless the text has just as many bytes.
[[nodiscard]] inline bool from_hex(std::string_view text, std::span<std::byte> bytes) {
  const auto digit = [](char letter) {
    if (letter >= '0' && letter <= '9') return letter - '0';
    return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
  };
  if (text.size() != 2 * bytes.size()) return false;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const int high = digit(text[2 * i]), low = digit(text[2 * i + 1]);
    if (high < 0 || low < 0) return false;
    bytes[i] = static_cast<std::byte>(high << 4 | low);
  }
  return true;
}

}  // namespace antiphon::bootstrap
