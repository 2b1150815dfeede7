#include "platform/linux/file_heap.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <cerrno>

namespace antiphon::platform {

namespace {

// Bytes populated in one system call, because a signal makes the kernel start the call again.
constexpr std::size_t kStep = std::size_t{64} << 20;

std::size_t rounded_up(std::size_t value, std::size_t unit) { return (value + unit - 1) / unit * unit; }

// Whether the file system itself lacks room for `bytes`. The file system of a memfd is unlimited.
bool is_full(int fd, std::size_t bytes) {
  struct statvfs info;
  return fstatvfs(fd, &info) == 0 && info.f_blocks != 0 && info.f_bavail * info.f_frsize < bytes;
}

struct Size {
  std::size_t bytes;
  std::size_t alignment;
};
Size in_pages(std::size_t bytes, std::size_t alignment) {
  bytes = rounded_up(std::max<std::size_t>(bytes, 1), kPage);
  return {bytes, std::max(alignment, bytes >= kHugePage ? kHugePage : kPage)};
}

}  // namespace

FileHeap::FileHeap(const FilePart& part, std::atomic<std::uint64_t>& address) : part_(part), address_(address) {}

FileHeap::~FileHeap() {
  for (const auto& [place, bytes] : used_) give_back(place, bytes);
  for (const auto& [place, bytes] : kept_) give_back(place, bytes);
  address_.store(0, std::memory_order_relaxed);
}

void* FileHeap::allocate_kept(std::size_t wanted, std::size_t aligned) {
  const auto [bytes, alignment] = in_pages(wanted, aligned);
  if (bytes > kept_bytes_) return nullptr;
  const auto base = reinterpret_cast<std::uintptr_t>(range_.start());
  // The captures are explicit, because clang 14 does not capture structured bindings.
  const auto place_in = [base, alignment = alignment](const auto& hole) {
    return rounded_up(base + hole.first, alignment) - base;
  };
  auto best = kept_.end();
  for (auto hole = kept_.begin(); hole != kept_.end(); ++hole)
    if (place_in(*hole) + bytes <= hole->first + hole->second && (best == kept_.end() || hole->second < best->second))
      best = hole;
  if (best == kept_.end()) return nullptr;
  const std::size_t place = place_in(*best);
  take(kept_, best, place, bytes);
  kept_bytes_ -= bytes;
  used_[place] = bytes;
  return range_.start() + place;
}

FileHeap::Allocation FileHeap::allocate(std::size_t wanted, std::size_t aligned) {
  if (wanted > part_.bytes) return {Outcome::no_room, nullptr};
  const auto [bytes, alignment] = in_pages(wanted, aligned);
  if (!range_) {
    range_ = AddressRange::reserve(part_.bytes, bytes);
    if (!range_) return {Outcome::no_room, nullptr};
    empty_[0] = range_.bytes();
  }
  address_.store(reinterpret_cast<std::uintptr_t>(range_.start()), std::memory_order_release);

  const auto base = reinterpret_cast<std::uintptr_t>(range_.start());
  for (auto hole = empty_.begin(); hole != empty_.end(); ++hole) {
    const std::size_t place = rounded_up(base + hole->first, alignment) - base;
    if (place + bytes > hole->first + hole->second) continue;
    if (const Outcome outcome = populate(place, bytes); outcome != Outcome::given) return {outcome, nullptr};
    take(empty_, hole, place, bytes);
    used_[place] = bytes;
    return {Outcome::given, range_.start() + place};
  }
  return {Outcome::no_room, nullptr};
}

// MADV_POPULATE_WRITE gives huge pages on systems that use them on request; older kernels can only reserve the file's
// own pages.
FileHeap::Outcome FileHeap::populate(std::size_t place, std::size_t bytes) {
  std::byte* start = range_.start() + place;
  const auto offset = static_cast<off_t>(part_.offset + place);
  if (!part_.file.map(start, part_.offset + place, bytes)) return Outcome::no_room;
  if (bytes >= kHugePage) madvise(start, bytes, MADV_HUGEPAGE);
  for (std::size_t done = 0; done < bytes;) {
    const std::size_t step = std::min(kStep, bytes - done);
    const bool there = madvise(start + done, step, MADV_POPULATE_WRITE) == 0 ||
                       (errno == EINVAL && fallocate(part_.file.descriptor(), 0, offset + static_cast<off_t>(done),
                                                     static_cast<off_t>(step)) == 0);
    if (there) {
      done += step;
    } else if (errno != EINTR) {
      const bool full = is_full(part_.file.descriptor(), bytes - done);
      give_back(place, bytes);
      return full ? Outcome::no_room : Outcome::no_memory;
    }
  }
  return Outcome::given;
}

void FileHeap::give_back(std::size_t place, std::size_t bytes) {
  std::byte* const start = range_.start() + place;
  munlock(start, bytes);  // the program may have locked all of its memory, and locked pages cannot be removed
  madvise(start, bytes, MADV_REMOVE);
  (void)mmap(start, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

bool FileHeap::free(void* start) {
  if (!range_) return false;
  const auto used = used_.find(static_cast<std::size_t>(static_cast<std::byte*>(start) - range_.start()));
  if (used == used_.end()) return false;
  const auto [place, bytes] = *used;
  used_.erase(used);
  add(kept_, place, bytes);
  kept_bytes_ += bytes;
  return true;
}

// From the end of the heap, because allocations come from its beginning.
void FileHeap::give_back(std::size_t bytes) {
  for (std::size_t left = rounded_up(bytes, kPage); left != 0 && !kept_.empty();) {
    const auto last = std::prev(kept_.end());
    const std::size_t end = last->first + last->second, now = std::min(left, last->second);
    take(kept_, last, end - now, now);
    kept_bytes_ -= now;
    give_back(end - now, now);
    add(empty_, end - now, now);
    left -= now;
  }
}

void FileHeap::take(Places& from, Places::iterator hole, std::size_t place, std::size_t bytes) {
  const auto [first, length] = *hole;
  const std::size_t end = place + bytes;
  from.erase(hole);
  if (place != first) from[first] = place - first;
  if (end != first + length) from[end] = first + length - end;
}

void FileHeap::add(Places& to, std::size_t place, std::size_t bytes) {
  auto next = to.lower_bound(place);
  if (next != to.end() && next->first == place + bytes) {
    bytes += next->second;
    next = to.erase(next);
  }
  if (next != to.begin()) {
    const auto before = std::prev(next);
    if (before->first + before->second == place) {
      before->second += bytes;
      return;
    }
  }
  to[place] = bytes;
}

}  // namespace antiphon::platform
