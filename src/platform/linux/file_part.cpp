#include "platform/linux/file_part.hpp"

#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <utility>

namespace antiphon::platform {

OpenFile::OpenFile(int fd, std::byte* begin) noexcept : fd_(fd), begin_(begin) {
  struct stat info;
  if (fd < 0 || fstat(fd, &info) != 0) return;
  device_ = info.st_dev;
  inode_ = info.st_ino;
}

int OpenFile::descriptor() const noexcept {
  struct stat info;
  const bool same = inode_ != 0 && fstat(fd_, &info) == 0 && info.st_dev == device_ && info.st_ino == inode_;
  return same ? fd_ : -1;
}

// If mremap(2) is told that a shared mapping has 0 bytes, it makes a second mapping of any length. Valgrind does not
// support that.
bool OpenFile::map(std::byte* where, std::uint64_t offset, std::size_t bytes) const noexcept {
  if (const int fd = descriptor(); fd >= 0)
    return mmap(where, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE | MAP_FIXED, fd,
                static_cast<off_t>(offset)) != MAP_FAILED;
  if (begin_ == nullptr) return false;
  munlock(begin_, 1);  // otherwise, if the program locks its memory, the new mapping would be populated at once
  void* const whole = mremap(begin_, 0, offset + bytes, MREMAP_MAYMOVE);
  if (whole == MAP_FAILED) return false;
  std::byte* const part = static_cast<std::byte*>(whole) + offset;
  const bool moved = mremap(part, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, where) != MAP_FAILED;
  munmap(whole, moved ? offset : offset + bytes);
  madvise(where, bytes, MADV_DODUMP);  // even if the first mapping is excluded from core files
  return moved;
}

AddressRange AddressRange::reserve(std::size_t bytes, std::size_t enough) {
  AddressRange range;
  void* mapped = mmap(nullptr, bytes + kHugePage, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) {
    const std::size_t half = bytes / 2 / kHugePage * kHugePage;
    return half >= std::max(enough, kHugePage) ? reserve(half, enough) : AddressRange();
  }
  auto* first = static_cast<std::byte*>(mapped);
  const std::size_t before = -reinterpret_cast<std::uintptr_t>(first) % kHugePage;
  if (before != 0) munmap(first, before);
  munmap(first + before + bytes, kHugePage - before);
  range.start_ = first + before;
  range.bytes_ = bytes;
  return range;
}

AddressRange::AddressRange(AddressRange&& other) noexcept
    : start_(std::exchange(other.start_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

AddressRange& AddressRange::operator=(AddressRange&& other) noexcept {
  std::swap(start_, other.start_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

AddressRange::~AddressRange() {
  if (start_) munmap(start_, bytes_);
}

std::byte* GrowingMap::grow(const FilePart& part, std::size_t bytes) {
  if (!range_) range_ = AddressRange::reserve(part.bytes, bytes);
  if (bytes > range_.bytes()) return nullptr;
  if (bytes <= mapped_) return range_.start();
  const std::size_t end = (bytes + kHugePage - 1) / kHugePage * kHugePage;
  std::byte* const start = range_.start() + mapped_;
  if (!part.file.map(start, part.offset + mapped_, end - mapped_)) return nullptr;
  madvise(start, end - mapped_, MADV_DONTDUMP);
  mapped_ = end;
  return range_.start();
}

}  // namespace antiphon::platform
