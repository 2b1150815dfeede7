// A part of an open file, as memory: mapped where its addresses and the file's offsets agree modulo a huge page, so
// that the kernel may use such pages. A FilePart is a name only; a mapping ends with its object.
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
  // Addresses that nothing is mapped at. Empty where the system refuses, as a limit on address space makes it do.
  static AddressRange reserve(std::size_t bytes);
  // The whole part, readable and writable, and left out of core files: what others keep there is theirs.
  static AddressRange map(const FilePart& part);

  AddressRange(AddressRange&& other) noexcept;
  AddressRange& operator=(AddressRange&& other) noexcept;
  ~AddressRange();

  [[nodiscard]] explicit operator bool() const { return start_ != nullptr; }
  [[nodiscard]] std::byte* start() const { return start_; }

 private:
  std::byte* start_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace antiphon::platform
