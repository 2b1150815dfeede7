#include "engine/io/transfer.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace antiphon::io {

namespace {

using objects::FileView;
using Run = FileView::Run;

// Scattered memory is packed into, or unpacked from, a window that stays in the nearer caches.
constexpr std::int64_t kWindowBytes = std::int64_t{1} << 20;
// To read a gap of so many bytes takes less time than another call of the system.
constexpr std::int64_t kGapWorthReading = 4096;
constexpr std::size_t kRunsAtOnce = 64;

// What lies between the first byte of an access and its last, for a lock.
Run span_of(const FileView& view, std::int64_t position, std::int64_t bytes) {
  if (view.is_ascending()) {
    const std::int64_t first = view.offset_of(position);
    return {first, view.offset_of(position + bytes - 1) + 1 - first};
  }
  std::int64_t low = INT64_MAX, high = 0;
  std::array<Run, kRunsAtOnce> runs;
  for (std::int64_t covered = 0; bytes != 0; position += covered, bytes -= covered) {
    const std::size_t count = view.runs(position, bytes, runs, &covered);
    for (const Run& run : std::span(runs).first(count)) {
      low = std::min(low, run.offset);
      high = std::max(high, run.end());
    }
  }
  return {low, high - low};
}

void write_runs(const Access& access, std::int64_t position, const std::byte* from, std::int64_t bytes) {
  std::array<Run, kRunsAtOnce> runs;
  for (std::int64_t covered = 0; bytes != 0; position += covered, bytes -= covered) {
    const std::size_t count = access.view->runs(position, bytes, runs, &covered);
    for (const Run& run : std::span(runs).first(count)) {
      access.file->write(from, run.bytes, run.offset);
      from += run.bytes;
    }
  }
}

// Reads runs that lie close together with the gaps between them.
class SievingReader {
 public:
  explicit SievingReader(const Access& access) : access_(access) {}

  // Returns how many bytes it has read: fewer only where the file ends.
  std::int64_t read(std::int64_t position, std::byte* to, std::int64_t bytes) {
    std::int64_t done = 0;
    while (done != bytes) {
      const std::int64_t now = read_some(position + done, to + done, bytes - done);
      done += now;
      if (ended_) break;
    }
    return done;
  }

 private:
  // The runs that one read takes: from the first byte on, as far as gaps are short.
  struct Group {
    Run span;
    std::int64_t bytes;
    bool is_run;  // without gaps
  };
  Group group_at(std::int64_t position, std::int64_t bytes) {
    std::array<Run, kRunsAtOnce> runs;
    Group group{{0, 0}, 0, true};
    while (group.bytes != bytes) {
      std::int64_t covered = 0;
      const std::size_t count = access_.view->runs(position + group.bytes, bytes - group.bytes, runs, &covered);
      for (const Run& run : std::span(runs).first(count)) {
        if (group.bytes == 0) {
          group = {run, run.bytes, true};
          continue;
        }
        const std::int64_t gap = run.offset - group.span.end();
        if (gap < 0 || gap > kGapWorthReading || run.end() - group.span.offset > access_.tuning.sieve_bytes)
          return group;
        group.span.bytes = run.end() - group.span.offset;
        group.bytes += run.bytes;
        group.is_run &= gap == 0;
      }
    }
    return group;
  }

  std::int64_t read_some(std::int64_t position, std::byte* to, std::int64_t bytes) {
    const Group group = group_at(position, bytes);
    if (group.is_run) {
      const std::int64_t got = access_.file->read(to, group.bytes, group.span.offset);
      ended_ = got != group.bytes;
      return got;
    }
    if (static_cast<std::int64_t>(image_.size()) < group.span.bytes)
      image_.resize(static_cast<std::size_t>(group.span.bytes));
    const std::int64_t got = access_.file->read(image_.data(), group.span.bytes, group.span.offset);
    ended_ = got != group.span.bytes;
    const std::int64_t there =
        ended_ ? access_.view->first_at(group.span.offset + got, position, position + group.bytes) - position
               : group.bytes;
    access_.view->gather(image_.data(), group.span.offset, position, there, to);
    return there;
  }

  const Access& access_;
  std::vector<std::byte> image_;
  bool ended_ = false;
};

using Lock = StoredFile::Locked::Lock;

StoredFile::Locked lock_if_atomic(const Access& access, Lock how) {
  if (!access.is_atomic) return {nullptr, how, 0, 0};
  const Run span = span_of(*access.view, access.position, access.memory.bytes);
  return {access.file, how, span.offset, span.bytes};
}

// Calls use(packed offset, bytes) for windows of the memory.
template <class Use>
void in_windows(const Memory& memory, Use&& use) {
  const std::int64_t window = memory.in_one_piece() ? memory.bytes : kWindowBytes;
  for (std::int64_t done = 0; done != memory.bytes;) {
    const std::int64_t now = std::min(window, memory.bytes - done);
    if (!use(done, now)) return;
    done += now;
  }
}

std::vector<std::byte> window_for(const Memory& memory) {
  return std::vector<std::byte>(
      memory.in_one_piece() ? 0 : static_cast<std::size_t>(std::min(kWindowBytes, memory.bytes)));
}

}  // namespace

std::int64_t read(const Access& access) {
  const Memory& memory = access.memory;
  if (memory.bytes == 0) return 0;
  const auto locked = lock_if_atomic(access, Lock::shared);
  std::vector<std::byte> window = window_for(memory);
  SievingReader reader(access);
  std::int64_t done = 0;
  in_windows(memory, [&](std::int64_t from, std::int64_t bytes) {
    std::byte* const to = memory.in_one_piece() ? memory.first() + from : window.data();
    const std::int64_t got = reader.read(access.position + from, to, bytes);
    if (!memory.in_one_piece()) memory.unpack(from, window.data(), got);
    done += got;
    return got == bytes;
  });
  return done;
}

void write(const Access& access) {
  const Memory& memory = access.memory;
  if (memory.bytes == 0) return;
  const auto locked = lock_if_atomic(access, Lock::exclusive);
  std::vector<std::byte> window = window_for(memory);
  in_windows(memory, [&](std::int64_t from, std::int64_t bytes) {
    if (!memory.in_one_piece()) memory.pack(from, window.data(), bytes);
    write_runs(access, access.position + from, memory.in_one_piece() ? memory.first() + from : window.data(), bytes);
    return true;
  });
}

std::int64_t carry_out(Direction direction, const Access& access) {
  if (direction == Direction::read) return read(access);
  write(access);
  return access.memory.bytes;
}

}  // namespace antiphon::io
