#include "platform/linux/file_heap.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <new>
#include <utility>

namespace antiphon::platform {

namespace {

// So much at a time, since a signal makes the kernel begin again.
constexpr std::size_t kStep = std::size_t{64} << 20;

// Of the file behind a descriptor; of none if there is none.
FileHeap::Identity identity_of(int fd) {
  struct stat info;
  return fd >= 0 && fstat(fd, &info) == 0 ? FileHeap::Identity{info.st_dev, info.st_ino} : FileHeap::Identity{};
}

std::size_t rounded_up(std::size_t value, std::size_t unit) { return (value + unit - 1) / unit * unit; }

struct Size {
  std::size_t bytes;
  std::size_t alignment;
};
Size in_pages(std::size_t bytes, std::size_t alignment) {
  bytes = rounded_up(std::max<std::size_t>(bytes, 1), kPage);
  return {bytes, std::max(alignment, bytes >= kHugePage ? kHugePage : kPage)};
}

}  // namespace

FileHeap::FileHeap(const FilePart& part, std::atomic<std::uint64_t>& address)
    : part_(part), address_(address), file_(identity_of(part.fd)) {}

FileHeap::~FileHeap() {
  for (const auto& [place, bytes] : used_) give_back(place, bytes);
  for (const auto& [place, bytes] : kept_) give_back(place, bytes);
  address_.store(0, std::memory_order_relaxed);
}

void* FileHeap::allocate_kept(std::size_t wanted, std::size_t aligned) {
  const auto [bytes, alignment] = in_pages(wanted, aligned);
  if (bytes > kept_bytes_) return nullptr;
  const auto base = reinterpret_cast<std::uintptr_t>(range_.start());
  // Spelled out, because clang 14 captures no structured binding by itself.
  const auto place_in = [base, alignment = alignment](const auto& hole) {
    return rounded_up(base + hole.first, alignment) - base;
  };
  auto best = kept_.end();
  for (auto hole = kept_.begin(); hole != kept_.end(); ++hole)
    if (place_in(*hole) + bytes <= hole->first + hole->second && (best == kept_.end() || hole->second < best->second))
      best = hole;
  if (best == kept_.end()) return nullptr;
  const std::size_t place = place_in(*best);
  use(kept_, best, place, bytes, made_node(), made_node());
  kept_bytes_ -= bytes;
  return range_.start() + place;
}

FileHeap::Allocation FileHeap::allocate(std::size_t wanted, std::size_t aligned) {
  if (wanted > part_.bytes || !has_file()) return {Outcome::no_room, nullptr};
  const auto [bytes, alignment] = in_pages(wanted, aligned);
  Node used = made_node(), rest = made_node();
  if (!range_) {
    Node whole = made_node();
    range_ = AddressRange::reserve(part_.bytes, bytes);
    if (!range_) return {Outcome::no_room, nullptr};
    add(empty_, 0, range_.bytes(), std::move(whole));
  }
  address_.store(reinterpret_cast<std::uintptr_t>(range_.start()), std::memory_order_release);

  const auto base = reinterpret_cast<std::uintptr_t>(range_.start());
  for (auto hole = empty_.begin(); hole != empty_.end(); ++hole) {
    const std::size_t place = rounded_up(base + hole->first, alignment) - base;
    if (place + bytes > hole->first + hole->second) continue;
    if (const Outcome outcome = populate(place, bytes); outcome != Outcome::given) return {outcome, nullptr};
    use(empty_, hole, place, bytes, std::move(used), std::move(rest));
    return {Outcome::given, range_.start() + place};
  }
  return {Outcome::no_room, nullptr};
}

// Touching is what makes huge pages where the system has them for those who ask; older kernels only know how to
// reserve the file's own pages.
FileHeap::Outcome FileHeap::populate(std::size_t place, std::size_t bytes) {
  std::byte* start = range_.start() + place;
  const auto offset = static_cast<off_t>(part_.offset + place);
  if (mmap(start, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE | MAP_FIXED, part_.fd, offset) ==
      MAP_FAILED)
    return Outcome::no_memory;
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
      return Outcome::no_memory;
    }
  }
  return Outcome::given;
}

void FileHeap::give_back(std::size_t place, std::size_t bytes) {
  (void)mmap(range_.start() + place, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1,
             0);
  if (!has_file()) return;
  fallocate(part_.fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(part_.offset + place),
            static_cast<off_t>(bytes));
}

// A program may close what it does not know, and then open a file of its own under that number.
bool FileHeap::has_file() const { return file_ != Identity() && identity_of(part_.fd) == file_; }

bool FileHeap::free(void* start) noexcept {
  if (!range_) return false;
  const auto used = used_.find(static_cast<std::size_t>(static_cast<std::byte*>(start) - range_.start()));
  if (used == used_.end()) return false;
  const auto [place, bytes] = *used;
  add(kept_, place, bytes, used_.extract(used));
  kept_bytes_ += bytes;
  return true;
}

// From the end of the heap, since what is given out comes from its beginning.
void FileHeap::give_back(std::size_t bytes) noexcept {
  for (std::size_t left = rounded_up(bytes, kPage); left != 0 && !kept_.empty();) {
    const auto last = std::prev(kept_.end());
    const std::size_t end = last->first + last->second, now = std::min(left, last->second);
    Node node;
    if (now == last->second) {
      node = kept_.extract(last);
    } else {
      try {
        node = made_node();
      } catch (const std::bad_alloc&) {
        return;
      }
      last->second -= now;
    }
    kept_bytes_ -= now;
    give_back(end - now, now);
    add(empty_, end - now, now, std::move(node));
    left -= now;
  }
}

FileHeap::Node FileHeap::made_node() {
  Places made;
  made.emplace();
  return made.extract(made.begin());
}

void FileHeap::use(Places& from, Places::iterator hole, std::size_t place, std::size_t bytes, Node used, Node rest) {
  const auto [first, length] = *hole;
  const std::size_t end = place + bytes;
  Node before = from.extract(hole);
  if (place != first) add(from, first, place - first, std::move(before));
  if (end != first + length) add(from, end, first + length - end, std::move(rest));
  used.key() = place;
  used.mapped() = bytes;
  used_.insert(std::move(used));
}

void FileHeap::add(Places& to, std::size_t place, std::size_t bytes, Node node) noexcept {
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
  node.key() = place;
  node.mapped() = bytes;
  to.insert(std::move(node));
}

}  // namespace antiphon::platform
