#include "platform/linux/file_part.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <utility>

namespace antiphon::platform {

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
  if (mmap(start, end - mapped_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE | MAP_FIXED, part.fd,
           static_cast<off_t>(part.offset + mapped_)) == MAP_FAILED)
    return nullptr;
  madvise(start, end - mapped_, MADV_DONTDUMP);
  mapped_ = end;
  return range_.start();
}

}  // namespace antiphon::platform
