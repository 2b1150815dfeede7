#include "bootstrap/node_segment.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "bootstrap/error_class.hpp"
#include "platform/linux/available_memory.hpp"
#include "platform/linux/unnamed_file.hpp"
#include "settings/digest.hpp"

namespace antiphon::bootstrap {
namespace {

// Scripts between mpiexec and the rank like to use small descriptors for themselves.
constexpr int kLowestFd = 64;

bool read_header(int fd, Header* header) {
  return pread(fd, static_cast<void*>(header), sizeof *header, 0) == ssize_t{sizeof *header};
}

JobLayout layout_of(const Header& header) {
  const bool mapped = header.nodes > 1;
  return {header.size, header.heap_bytes, header.pipe_bytes, mapped ? header.world_size : 0,
          mapped ? header.nodes : 0};
}

std::string what_is_wrong(const Header& header, std::uint64_t file_bytes) {
  if (header.magic != kJobMagic)
    return "holds something else, and no parent of this process has a segment under this number";
  if (header.layout_version != kJobLayoutVersion || header.header_bytes != sizeof(Header)) {
    return fmt::format(
        "has layout {} ({} header bytes) and this library speaks layout {} ({}): mpiexec and the library "
        "come from different versions of Antiphon",
        header.layout_version, header.header_bytes, kJobLayoutVersion, sizeof(Header));
  }
  if (header.settings_digest != settings::kTableDigest)
    return "has other settings than this library knows: mpiexec and the library come from different builds of "
           "Antiphon";
  const JobLayout layout = layout_of(header);
  if (header.size == 0 || header.size > kMaxRanks || header.total_bytes != layout.total_bytes() ||
      layout.file_bytes() != file_bytes) {
    return fmt::format("says {} ranks and {} bytes but has {} bytes", header.size, layout.file_bytes(), file_bytes);
  }
  return {};
}

// The limit on the size of files (ulimit -f) holds for a memfd, too, and who exceeds it gets a signal, not an error.
// It is meant for what fills disks, so it is lifted meanwhile, as far as that is allowed. So many of the first bytes
// get their pages now.
bool set_size(int fd, std::size_t bytes, std::size_t with_pages) {
  rlimit limit{};
  getrlimit(RLIMIT_FSIZE, &limit);
  const bool too_low = limit.rlim_cur < bytes;
  if (too_low && limit.rlim_max < bytes) {
    errno = EFBIG;
    return false;
  }
  const rlimit lifted{.rlim_cur = limit.rlim_max, .rlim_max = limit.rlim_max};
  if (too_low) setrlimit(RLIMIT_FSIZE, &lifted);
  int error = ftruncate(fd, static_cast<off_t>(bytes)) == 0 ? 0 : errno;
  if (error == 0 && with_pages != 0) error = posix_fallocate(fd, 0, static_cast<off_t>(with_pages));
  if (too_low) setrlimit(RLIMIT_FSIZE, &limit);
  errno = error;
  return error == 0;
}

// Of the machine, whatever a container may use of it.
std::uint64_t memory_bytes() {
  return static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

// Of the size that the segment has, without heaps where it cannot be that large; -1 and errno where it cannot be.
// In a folder all but the heaps get their pages now, with less for pipes where there is less room: who touches a page
// that is not to be had gets a SIGBUS and no error. A heap asks before it gives memory out.
int create_file(const std::string& place, JobLayout& layout) {
  const int fd = platform::open_unnamed_file(place, "antiphon-job");
  if (fd < 0) return -1;
  const bool in_folder = place != platform::kSystemMemory;
  const auto has_size = [&] { return set_size(fd, layout.file_bytes(), in_folder ? layout.total_bytes() : 0); };
  while (!has_size() && errno == ENOSPC && layout.pipe_bytes > JobLayout::kLeastPipeBytes) layout.pipe_bytes /= 2;
  if (!has_size()) layout.heap_bytes = 0;
  if (layout.heap_bytes != 0 || has_size())
    if (in_folder || fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0) return fd;
  const int error = errno;
  close(fd);
  errno = error;
  return -1;
}

// In the first place that has room for it.
int create_file(JobLayout& layout) {
  const JobLayout wanted = layout;
  std::string refusals;
  for (const std::string& place : platform::places_of_unnamed_files()) {
    layout = wanted;
    if (const int fd = create_file(place, layout); fd >= 0) return fd;
    const bool too_large = errno == EFBIG;
    refusals += fmt::format("{}{}: {}", refusals.empty() ? "" : "; ",
                            too_large ? "its size is limited by ulimit -f, the limit of file sizes" : place,
                            std::strerror(errno));
    if (too_large) break;
  }
  base::fail(kErrNoMem, fmt::format("cannot create the job segment of {} bytes for {} ranks: {}",
                                    layout.total_bytes(), layout.size, refusals));
}

int moved_up(int low_fd) {
  const int high_fd = fcntl(low_fd, F_DUPFD_CLOEXEC, kLowestFd);
  if (high_fd < 0) return low_fd;  // a low limit of open files is no reason to fail
  close(low_fd);
  return high_fd;
}

}  // namespace

NodeSegment NodeSegment::create(const JobShape& shape, MapExtent extent) {
  JobLayout layout = JobLayout::fitting(shape.size, memory_bytes(), platform::available_memory());
  layout.mapped_ranks = static_cast<std::uint32_t>(shape.places.size());
  layout.mapped_nodes = static_cast<std::uint32_t>(shape.node_names.size());
  const int fd = moved_up(create_file(layout));
  NodeSegment segment(fd, layout, extent == MapExtent::whole ? layout.total_bytes() : layout.map_end());
  Header& header = segment.header();
  header.magic = kJobMagic;
  header.layout_version = kJobLayoutVersion;
  header.header_bytes = sizeof(Header);
  header.size = shape.size;
  header.world_size = shape.places.empty() ? shape.size : static_cast<std::uint32_t>(shape.places.size());
  header.nodes = shape.node_names.empty() ? 1 : static_cast<std::uint32_t>(shape.node_names.size());
  header.node = shape.node;
  header.apps = shape.apps;
  header.usable_cpus = shape.usable_cpus;
  header.oversubscribed = shape.size > shape.usable_cpus ? 1 : 0;
  header.launcher = getpid();
  header.total_bytes = layout.total_bytes();
  header.heap_bytes = layout.heap_bytes;
  header.pipe_bytes = layout.pipe_bytes;
  header.settings_digest = settings::kTableDigest;
  header.settings = shape.settings;
  std::ranges::copy(shape.places, reinterpret_cast<Place*>(segment.base_ + layout.places_offset()));
  auto* name = reinterpret_cast<NodeName*>(segment.base_ + layout.names_offset());
  for (const std::string& given : shape.node_names) given.copy((name++)->data(), kNodeNameBytes - 1);
  return segment;
}

NodeSegment NodeSegment::attach(int fd) {
  struct stat info;
  if (fstat(fd, &info) != 0) {
    base::fail(kErrOther, fmt::format("{}={} is not an open descriptor", kJobFdVariable, fd));
  }
  Header header;
  const std::string wrong =
      read_header(fd, &header) ? what_is_wrong(header, static_cast<std::uint64_t>(info.st_size)) : "is too short";
  if (!wrong.empty()) {
    base::fail(kErrOther,
               fmt::format("{}={} is not the job segment of this process: it {}", kJobFdVariable, fd, wrong));
  }
  // What the rank executes from here on is not part of the job.
  fcntl(fd, F_SETFD, FD_CLOEXEC);
  return NodeSegment(fd, layout_of(header), header.total_bytes);
}

Place NodeSegment::place(std::uint32_t world_rank) const {
  if (layout_.mapped_ranks == 0) return {.node = 0, .rank_on_node = static_cast<std::int32_t>(world_rank)};
  return reinterpret_cast<const Place*>(base_ + layout_.places_offset())[world_rank];
}

std::string_view NodeSegment::node_name(std::uint32_t node) const {
  if (layout_.mapped_nodes == 0) return {};
  const NodeName& name = reinterpret_cast<const NodeName*>(base_ + layout_.names_offset())[node];
  return {name.data(), strnlen(name.data(), name.size())};
}

bool NodeSegment::has_reserved_pages() const {
  const int seals = fcntl(fd(), F_GET_SEALS);
  return seals < 0 || (seals & F_SEAL_GROW) == 0;  // no memfd of ours
}

NodeSegment::NodeSegment(int fd, JobLayout layout, std::size_t mapped_bytes)
    : layout_(layout), mapped_bytes_(mapped_bytes) {
  void* base = mmap(nullptr, mapped_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
  if (base == MAP_FAILED) {
    base::fail(kErrNoMem,
               fmt::format("cannot map the job segment of {} bytes: {}", mapped_bytes, std::strerror(errno)));
  }
  base_ = static_cast<std::byte*>(base);
  file_ = {fd, base_};
  // Messages in flight have no place in a core file, and the sparse areas would make it look enormous.
  madvise(base, mapped_bytes, MADV_DONTDUMP);
}

NodeSegment::NodeSegment(NodeSegment&& other) noexcept
    : layout_(other.layout_),
      mapped_bytes_(std::exchange(other.mapped_bytes_, 0)),
      base_(std::exchange(other.base_, nullptr)),
      file_(std::exchange(other.file_, {})) {}

NodeSegment::~NodeSegment() {
  if (base_ != nullptr) munmap(base_, mapped_bytes_);
  if (const int fd = file_.descriptor(); fd >= 0) close(fd);
}

}  // namespace antiphon::bootstrap
