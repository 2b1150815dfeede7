#include "platform/linux/file_part.hpp"

#include <sys/mman.h>

#include <utility>

namespace antiphon::platform {

AddressRange AddressRange::reserve(std::size_t bytes) {
  AddressRange range;
  void* mapped = mmap(nullptr, bytes + kHugePage, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) return range;
  auto* first = static_cast<std::byte*>(mapped);
  const std::size_t before = -reinterpret_cast<std::uintptr_t>(first) % kHugePage;
  if (before != 0) munmap(first, before);
  munmap(first + before + bytes, kHugePage - before);
  range.start_ = first + before;
  range.bytes_ = bytes;
  return range;
}

AddressRange AddressRange::map(const FilePart& part) {
  AddressRange range = reserve(part.bytes);
  if (!range) return range;
  if (mmap(range.start_, part.bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE | MAP_FIXED, part.fd,
           static_cast<off_t>(part.offset)) == MAP_FAILED)
    return {};
  madvise(range.start_, part.bytes, MADV_DONTDUMP);
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

}  // namespace antiphon::platform
