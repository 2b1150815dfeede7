// The keys and values that a rank publishes for the others of its node, in the node's segment: pairs one after the
// other. Its rank alone writes, one thread at a time; everybody reads at any time, without a lock, because written
// pairs never change. If a key occurs twice, its last value counts. All zero, and empty, at first.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace antiphon::bootstrap {

// A cell in the segment; its pages cost nothing before they are written.
inline constexpr std::size_t kBoardBytes = std::size_t{16} << 10;

class Board {
 public:
  Board(const Board&) = delete;
  Board& operator=(const Board&) = delete;

  // False where there is no room left.
  [[nodiscard]] bool add(std::string_view key, std::string_view value) noexcept;
  [[nodiscard]] std::optional<std::string> find(std::string_view key) const;
  // For further entries, of which each takes a little more than its key and value.
  [[nodiscard]] std::size_t bytes_left() const noexcept {
    return sizeof entries_ - used_.load(std::memory_order_relaxed);
  }

 private:
  struct Entry {
    std::uint32_t key_bytes;
    std::uint32_t value_bytes;
  };

  std::atomic<std::uint64_t> used_;  // of entries_
  std::byte entries_[kBoardBytes - sizeof(std::uint64_t)];
};

static_assert(sizeof(Board) == kBoardBytes);

}  // namespace antiphon::bootstrap
