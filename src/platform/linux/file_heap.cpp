#include "platform/linux/file_heap.hpp"

#include <fcntl.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>

namespace antiphon::platform {

namespace {

// So much at a time, since a signal makes the kernel begin again.
constexpr std::size_t kStep = std::size_t{64} << 20;

std::size_t rounded_up(std::size_t value, std::size_t unit) { return (value + unit - 1) / unit * unit; }

}  // namespace

FileHeap::FileHeap(const FilePart& part, std::atomic<std::uint64_t>& address) : part_(part), address_(address) {}

FileHeap::~FileHeap() {
  for (const auto& [place, bytes] : used_) give_back(place, bytes);
  address_.store(0, std::memory_order_relaxed);
}

FileHeap::Allocation FileHeap::allocate(std::size_t bytes, std::size_t alignment) {
  if (bytes > part_.bytes) return {Outcome::no_room, nullptr};
  bytes = rounded_up(std::max<std::size_t>(bytes, 1), kPage);
  alignment = std::max(alignment, bytes >= kHugePage ? kHugePage : kPage);
  if (!range_) {
    range_ = AddressRange::reserve(part_.bytes, bytes);
    if (!range_) return {Outcome::no_room, nullptr};
    free_[0] = range_.bytes();
  }
  address_.store(reinterpret_cast<std::uintptr_t>(range_.start()), std::memory_order_release);

  const auto base = reinterpret_cast<std::uintptr_t>(range_.start());
  for (const auto& [first, length] : free_) {
    const std::size_t place = rounded_up(base + first, alignment) - base;
    const std::size_t end = place + bytes;
    if (end > first + length) continue;
    if (!populate(place, bytes)) return {Outcome::no_memory, nullptr};
    const std::size_t hole = first, hole_end = first + length;
    free_.erase(first);
    if (place != hole) free_[hole] = place - hole;
    if (end != hole_end) free_[end] = hole_end - end;
    used_[place] = bytes;
    return {Outcome::given, range_.start() + place};
  }
  return {Outcome::no_room, nullptr};
}

// Touching is what makes huge pages where the system has them for those who ask; older kernels only know how to
// reserve the file's own pages.
bool FileHeap::populate(std::size_t place, std::size_t bytes) {
  std::byte* start = range_.start() + place;
  const auto offset = static_cast<off_t>(part_.offset + place);
  if (mmap(start, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE | MAP_FIXED, part_.fd, offset) ==
      MAP_FAILED)
    return false;
  if (bytes >= kHugePage) madvise(start, bytes, MADV_HUGEPAGE);
  for (std::size_t done = 0; done < bytes;) {
    const std::size_t step = std::min(kStep, bytes - done);
    const bool there =
        madvise(start + done, step, MADV_POPULATE_WRITE) == 0 ||
        (errno == EINVAL && fallocate(part_.fd, 0, offset + static_cast<off_t>(done), static_cast<off_t>(step)) == 0);
    if (there) {
      done += step;
    } else if (errno != EINTR) {
      give_back(place, bytes);
      return false;
    }
  }
  return true;
}

void FileHeap::give_back(std::size_t place, std::size_t bytes) {
  (void)mmap(range_.start() + place, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1,
             0);
  fallocate(part_.fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(part_.offset + place),
            static_cast<off_t>(bytes));
}

bool FileHeap::free(void* start) {
  if (!range_) return false;
  const auto used = used_.find(static_cast<std::size_t>(static_cast<std::byte*>(start) - range_.start()));
  if (used == used_.end()) return false;
  const auto [place, bytes] = *used;
  used_.erase(used);
  give_back(place, bytes);
  add_free(place, bytes);
  return true;
}

void FileHeap::add_free(std::size_t place, std::size_t bytes) {
  auto next = free_.lower_bound(place);
  if (next != free_.end() && next->first == place + bytes) {
    bytes += next->second;
    next = free_.erase(next);
  }
  if (next != free_.begin()) {
    const auto before = std::prev(next);
    if (before->first + before->second == place) {
      before->second += bytes;
      return;
    }
  }
  free_[place] = bytes;
}

}  // namespace antiphon::platform
