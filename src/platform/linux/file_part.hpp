// A part of an open file, as memory: mapped where its addresses and the file's offsets agree modulo a huge page, so
// that the kernel may use such pages. A FilePart is a name only; mappings end with the objects that made them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace antiphon::platform {

struct FilePart {
  int fd = -1;
  std::uint64_t offset = 0;  // a multiple of kHugePage
  std::size_t bytes = 0;     // likewise; 0: there is none
};

inline constexpr std::size_t kPage = 4096;
inline constexpr std::size_t kHugePage = std::size_t{2} << 20;

class AddressRange {
 public:
  AddressRange() = default;
  // Addresses that nothing is mapped at: as many as asked for, or, where a limit on address space makes the system
  // refuse that, half or a quarter and so on, as long as that is enough. Empty if nothing is.
  static AddressRange reserve(std::size_t bytes, std::size_t enough);
  AddressRange(AddressRange&& other) noexcept;
  AddressRange& operator=(AddressRange&& other) noexcept;
  ~AddressRange();

  [[nodiscard]] explicit operator bool() const { return start_ != nullptr; }
  [[nodiscard]] std::byte* start() const { return start_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  std::byte* start_ = nullptr;
  std::size_t bytes_ = 0;
};

// The beginning of a part, readable and writable, and left out of core files: what others keep there is theirs. It
// never moves.
class GrowingMap {
 public:
  // Maps at least that much from now on, in whole huge pages. Its beginning; null where the system refuses.
  std::byte* grow(const FilePart& part, std::size_t bytes);

 private:
  AddressRange range_;
  std::size_t mapped_ = 0;
};

}  // namespace antiphon::platform
