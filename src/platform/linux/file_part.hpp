// A part of an open file as memory. It is mapped at addresses that agree with the file's offsets modulo a huge page,
// so that the kernel may use huge pages. A FilePart only describes the part; the objects that map it own the
// mappings.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>

namespace antiphon::platform {

// A file, by a descriptor that somebody else owns. The program may close descriptors that it did not open and get the
// same number for a file of its own. So the descriptor is used only while it still refers to the original file. What
// this process has mapped of the file stays, and can be mapped a second time without a descriptor.
class OpenFile {
 public:
  OpenFile() = default;
  // `begin`: where the start of the file is mapped, shared; null if it is not.
  OpenFile(int fd, std::byte* begin = nullptr) noexcept;

  // -1 if the descriptor refers to another file by now.
  [[nodiscard]] int descriptor() const noexcept;
  // Maps `bytes` bytes of the file from `offset` on at addresses that this process has reserved: readable, writable
  // and shared. False if the system refuses; the addresses stay as they were.
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
  std::size_t bytes = 0;     // likewise; 0: the part is empty
};

inline constexpr std::size_t kPage = 4096;
inline constexpr std::size_t kHugePage = std::size_t{2} << 20;

class AddressRange {
 public:
  AddressRange() = default;
  // Reserves `bytes` addresses. If the system refuses, because of a limit on address space, tries half, a quarter and
  // so on, but at least `enough`. Empty if that fails, too.
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

// Maps the beginning of a part, readable and writable, at an address that never changes. It is excluded from core
// files, because the memory belongs to other processes.
class GrowingMap {
 public:
  // Maps at least `bytes`, in whole huge pages. Returns the start; null if the system refuses.
  std::byte* grow(const FilePart& part, std::size_t bytes);

 private:
  AddressRange range_;
  std::size_t mapped_ = 0;
};

}  // namespace antiphon::platform
