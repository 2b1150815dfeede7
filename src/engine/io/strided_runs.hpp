// Runs of bytes of a file, in few words: those of one length at one distance are one entry. So what ranks tell each
// other about their parts of a regular pattern does not grow with it. Values.
#pragma once

#include <cstdint>
#include <vector>

#include "objects/file_view.hpp"

namespace antiphon::io {

struct StridedRuns {
  std::int64_t offset;  // of the first
  std::int64_t bytes;   // of each
  std::int64_t stride;  // from one to the next; 0: there is one
  std::int64_t count;

  [[nodiscard]] std::int64_t total() const { return bytes * count; }
  [[nodiscard]] std::int64_t end() const { return offset + stride * (count - 1) + bytes; }
};

using RunList = std::vector<StridedRuns>;

// Runs are appended in ascending order.
void append(RunList& list, const objects::FileView::Run& run);
// The runs that hold bytes [position, position + bytes) of a view.
[[nodiscard]] RunList runs_of(const objects::FileView& view, std::int64_t position, std::int64_t bytes);

// Copies packed bytes to, or from, their places in `image`, which holds the file from offset `origin` on.
void scatter(const RunList& list, const std::byte* packed, std::byte* image, std::int64_t origin);
void gather(const RunList& list, const std::byte* image, std::int64_t origin, std::byte* packed);

// The bytes that some of these runs hold, as runs without a common border, in ascending order.
[[nodiscard]] std::vector<objects::FileView::Run> covered_by(RunList runs);
// How many of the packed bytes of ascending runs lie before this offset.
[[nodiscard]] std::int64_t bytes_before(const RunList& list, std::int64_t offset);
// The runs that hold the first `bytes` packed bytes; the last of them may be cut.
[[nodiscard]] RunList first_of(const RunList& list, std::int64_t bytes);

}  // namespace antiphon::io
