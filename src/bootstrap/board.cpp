#include "bootstrap/board.hpp"

#include <cstring>

namespace antiphon::bootstrap {

bool Board::add(std::string_view key, std::string_view value) noexcept {
  const Entry entry{static_cast<std::uint32_t>(key.size()), static_cast<std::uint32_t>(value.size())};
  if (sizeof entry + key.size() + value.size() > bytes_left()) return false;
  const std::uint64_t used = used_.load(std::memory_order_relaxed);
  std::byte* end = entries_ + used;
  const auto append = [&end](const void* from, std::size_t bytes) {
    if (bytes != 0) std::memcpy(end, from, bytes);
    end += bytes;
  };
  append(&entry, sizeof entry);
  append(key.data(), key.size());
  append(value.data(), value.size());
  used_.store(static_cast<std::uint64_t>(end - entries_), std::memory_order_release);
  return true;
}

std::optional<std::string> Board::find(std::string_view key) const {
  std::optional<std::string> found;
  const std::uint64_t used = used_.load(std::memory_order_acquire);
  for (std::uint64_t at = 0; at < used;) {
    Entry entry;
    std::memcpy(&entry, entries_ + at, sizeof entry);
    const auto* const text = reinterpret_cast<const char*>(entries_ + at + sizeof entry);
    if (std::string_view(text, entry.key_bytes) == key) found.emplace(text + entry.key_bytes, entry.value_bytes);
    at += sizeof entry + entry.key_bytes + entry.value_bytes;
  }
  return found;
}

}  // namespace antiphon::bootstrap
