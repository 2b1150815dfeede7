#include "engine/io/strided_runs.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "layout/build.hpp"
#include "layout/layout.hpp"

namespace antiphon::io {

namespace {

using Run = objects::FileView::Run;

// Fewer runs are copied one by one: a layout has to be built, but has kernels for short runs.
constexpr std::int64_t kWorthALayout = 16;

layout::Layout layout_of(const StridedRuns& runs) {
  return {layout::repeat(layout::run(runs.bytes), runs.count, runs.stride), 0};
}

// Extends `first` by the runs of `next` that begin where its own end. What remains of the longer one goes to `rest`.
// False if they do not fit together.
bool combine(StridedRuns& first, const StridedRuns& next, RunList& rest) {
  if (first.count == 1 || next.count == 1 || first.stride != next.stride) return false;
  if (first.offset + first.bytes != next.offset || first.bytes + next.bytes > first.stride) return false;
  const std::int64_t both = std::min(first.count, next.count);
  for (const StridedRuns& each : {first, next})
    if (each.count > both)
      rest.push_back({each.offset + both * each.stride, each.bytes, each.stride, each.count - both});
  first.bytes += next.bytes;
  first.count = both;
  if (first.bytes == first.stride) first = {first.offset, first.stride * both, 0, 1};
  return true;
}

void sort_by_offset(RunList& runs) { std::ranges::sort(runs, {}, &StridedRuns::offset); }

// Puts together what ranks have of one pattern, so that few entries remain to be written out.
RunList combined(RunList runs) {
  sort_by_offset(runs);
  RunList made, rest;
  for (const StridedRuns& next : runs)
    if (made.empty() || !combine(made.back(), next, rest)) made.push_back(next);
  made.insert(made.end(), rest.begin(), rest.end());
  return made;
}

}  // namespace

void append(RunList& list, const Run& run) {
  if (!list.empty()) {
    StridedRuns& last = list.back();
    const std::int64_t stride = run.offset - (last.offset + last.stride * (last.count - 1));
    if (last.count == 1 && run.offset == last.offset + last.bytes) {
      last.bytes += run.bytes;
      return;
    }
    if (run.bytes == last.bytes && (last.count == 1 || stride == last.stride)) {
      last.stride = stride;
      ++last.count;
      return;
    }
  }
  list.push_back({run.offset, run.bytes, 0, 1});
}

RunList runs_of(const objects::FileView& view, std::int64_t position, std::int64_t bytes) {
  RunList list;
  std::array<Run, 64> runs;
  for (std::int64_t covered = 0; bytes != 0; position += covered, bytes -= covered) {
    const std::size_t count = view.runs(position, bytes, runs, &covered);
    for (std::size_t i = 0; i < count; ++i) append(list, runs[i]);
  }
  return list;
}

void scatter(const RunList& list, const std::byte* packed, std::byte* image, std::int64_t origin) {
  for (const StridedRuns& runs : list) {
    std::byte* to = image + (runs.offset - origin);
    if (runs.count >= kWorthALayout) {
      layout_of(runs).unpack(to, 1, {0, runs.total()}, packed);
      packed += runs.total();
      continue;
    }
    for (std::int64_t i = 0; i < runs.count; ++i, to += runs.stride, packed += runs.bytes)
      std::memcpy(to, packed, static_cast<std::size_t>(runs.bytes));
  }
}

void gather(const RunList& list, const std::byte* image, std::int64_t origin, std::byte* packed) {
  for (const StridedRuns& runs : list) {
    const std::byte* from = image + (runs.offset - origin);
    if (runs.count >= kWorthALayout) {
      layout_of(runs).pack(from, 1, {0, runs.total()}, packed);
      packed += runs.total();
      continue;
    }
    for (std::int64_t i = 0; i < runs.count; ++i, from += runs.stride, packed += runs.bytes)
      std::memcpy(packed, from, static_cast<std::size_t>(runs.bytes));
  }
}

std::vector<Run> covered_by(RunList runs) {
  for (std::size_t before = 0; before != runs.size();) {
    before = runs.size();
    runs = combined(std::move(runs));
  }
  std::vector<Run> single;
  for (const StridedRuns& each : runs)
    for (std::int64_t i = 0; i < each.count; ++i) single.push_back({each.offset + i * each.stride, each.bytes});
  std::ranges::sort(single, {}, &Run::offset);
  std::vector<Run> merged;
  for (const Run& run : single) {
    if (!merged.empty() && run.offset <= merged.back().end())
      merged.back().bytes = std::max(merged.back().end(), run.end()) - merged.back().offset;
    else
      merged.push_back(run);
  }
  return merged;
}

std::int64_t bytes_before(const RunList& list, std::int64_t offset) {
  std::int64_t bytes = 0;
  for (const StridedRuns& runs : list) {
    if (offset >= runs.end()) {
      bytes += runs.total();
      continue;
    }
    if (offset <= runs.offset) break;
    const std::int64_t whole = runs.stride == 0 ? 0 : (offset - runs.offset) / runs.stride;
    const std::int64_t into_next = offset - (runs.offset + whole * runs.stride);
    return bytes + whole * runs.bytes + std::min(into_next, runs.bytes);
  }
  return bytes;
}

RunList first_of(const RunList& list, std::int64_t bytes) {
  RunList some;
  for (const StridedRuns& runs : list)
    for (std::int64_t i = 0; i < runs.count && bytes != 0; ++i) {
      const std::int64_t now = std::min(bytes, runs.bytes);
      append(some, {runs.offset + i * runs.stride, now});
      bytes -= now;
    }
  return some;
}

}  // namespace antiphon::io
