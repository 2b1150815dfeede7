// A part of an open file, as memory: mapped where its addresses and the file's offsets agree modulo a huge page, so
// that the kernel may use such pages. A FilePart is a name only; mappings end with the objects that made them.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>

namespace antiphon::platform {

// A file by its descriptor, which stays its owner's. The program may close descriptors that it does not know, and
// open a file of its own under the number: so the descriptor counts only as long as it leads to the file that it led
// to at first. What the file has in memory stays there, and can be mapped a second time without a descriptor.
class OpenFile {
 public:
  OpenFile() = default;
  // `begin`: where the beginning of the file is mapped, shared; null if it is not.
  OpenFile(int fd, std::byte* begin = nullptr) noexcept;

  // -1 where it leads elsewhere by now.
  [[nodiscard]] int descriptor() const noexcept;
  // Maps so many bytes of the file, from `offset` on, over addresses that this process has reserved; readable,
  // writable and shared. False where the system refuses, and nothing is mapped there then but what was.
  [[nodiscard]] bool map(std::byte* where, std::uint64_t offset, std::size_t bytes) const noexcept;

 private:
  int fd_ = -1;
  std::byte* begin_ = nullptr;
  dev_t device_ = 0;
  ino_t inode_ = 0;
};

struct FilePart {
  OpenFile file;
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
