#include "objects/file_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/error.hpp"

namespace antiphon::objects {

namespace {

constexpr std::int64_t kMany = 2;  // any number of filetypes: layouts only ask whether it is one
constexpr std::size_t kAtOnce = 64;

// Layouts calculate with addresses; those of a view are offsets in the file.
const void* as_address(std::int64_t offset) { return reinterpret_cast<const void*>(offset); }
std::int64_t as_offset(const std::byte* address) {
  return static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(address));
}

// Calls use(displacement, bytes) for the runs of a type, in order; true if use() has always been.
template <class Use>
bool each_run(const Datatype& type, Use&& use) {
  std::array<layout::Piece, kAtOnce> pieces;
  std::int64_t covered = 0;
  for (std::int64_t position = 0; position < type.size(); position += covered) {
    const std::size_t listed = type.layout().pieces(nullptr, 1, {position, type.size() - position}, pieces, &covered);
    for (std::size_t i = 0; i < listed; ++i)
      if (!use(as_offset(pieces[i].begin), static_cast<std::int64_t>(pieces[i].bytes))) return false;
  }
  return true;
}

// Whether each byte of any number of these types lies behind the one before.
bool ascends(const Datatype& filetype) {
  std::int64_t end = INT64_MIN;
  return filetype.true_extent() <= filetype.extent() &&
         each_run(filetype,
                  [&](std::int64_t start, std::int64_t bytes) { return start >= std::exchange(end, start + bytes); });
}

}  // namespace

FileView::FileView(std::int64_t displacement, Ref<Datatype> etype, Ref<Datatype> filetype, std::string datarep)
    : displacement_(displacement),
      etype_(std::move(etype)),
      filetype_(std::move(filetype)),
      datarep_(std::move(datarep)),
      layout_(&filetype_->layout()),
      is_ascending_(ascends(*filetype_)) {}

std::size_t FileView::runs(std::int64_t position, std::int64_t bytes, std::span<Run> found,
                           std::int64_t* covered) const {
  std::array<layout::Piece, kAtOnce> pieces;
  const std::size_t room = std::min(found.size(), pieces.size());
  const std::size_t listed =
      layout_->pieces(as_address(displacement_), kMany, {position, bytes}, std::span(pieces).first(room), covered);
  for (std::size_t i = 0; i < listed; ++i)
    found[i] = {as_offset(pieces[i].begin), static_cast<std::int64_t>(pieces[i].bytes)};
  return listed;
}

std::int64_t FileView::offset_of(std::int64_t position) const {
  if (filetype_->size() == 0) return displacement_;
  Run run{};
  std::int64_t covered = 0;
  (void)runs(position, 1, {&run, 1}, &covered);
  return run.offset;
}

std::int64_t FileView::first_at(std::int64_t offset, std::int64_t from, std::int64_t to) const {
  while (from < to) {
    const std::int64_t middle = from + (to - from) / 2;
    if (offset_of(middle) < offset)
      from = middle + 1;
    else
      to = middle;
  }
  return from;
}

std::int64_t FileView::first_etype_at(std::int64_t offset) const {
  const std::int64_t each = etype_bytes();
  if (each == 0 || filetype_->size() == 0 || offset <= displacement_) return 0;
  // As many filetypes as reach beyond the offset.
  const std::int64_t extent = std::max<std::int64_t>(filetype_->extent(), 1);
  std::int64_t from = 0;
  std::int64_t to = ((offset - displacement_) / extent + 1) * (filetype_->size() / each);
  while (from < to) {
    const std::int64_t middle = from + (to - from) / 2;
    if (offset_of(middle * each) < offset)
      from = middle + 1;
    else
      to = middle;
  }
  return from;
}

void FileView::need_reachable(std::int64_t position, std::int64_t bytes) const {
  const std::int64_t size = filetype_->size();
  if (bytes == 0 || size == 0) return;
  std::int64_t end = 0, start = 0;
  const bool overflows = __builtin_add_overflow(position, bytes, &end) ||
                         __builtin_mul_overflow(end / size + 1, filetype_->extent(), &start) ||
                         __builtin_add_overflow(start, filetype_->true_lb() + filetype_->true_extent(), &start) ||
                         __builtin_add_overflow(start, displacement_, &start);
  if (overflows)
    base::fail(abi::ERR_ARG,
               fmt::format("{} bytes at byte {} of the view are beyond what an offset in a file can count", bytes,
                           position));
}

void FileView::gather(const std::byte* image, std::int64_t origin, std::int64_t position, std::int64_t bytes,
                      std::byte* packed) const {
  const auto moved = reinterpret_cast<std::uintptr_t>(image) - static_cast<std::uintptr_t>(origin) +
                     static_cast<std::uintptr_t>(displacement_);
  layout_->pack(reinterpret_cast<const void*>(moved), kMany, {position, bytes}, packed);
}

// What is wrong with displacements has the class that programs know from ROMIO.
void check_filetype(const Datatype& etype, const Datatype& filetype, bool may_overlap) {
  if (etype.size() == 0)
    base::fail(abi::ERR_TYPE, fmt::format("etype={} has no data: offsets count etypes", etype.description()));
  if (filetype.size() % etype.size() != 0)
    base::fail(abi::ERR_TYPE, fmt::format("filetype={} has {} bytes of data, no multiple of the etype's {}",
                                          filetype.description(), filetype.size(), etype.size()));
  if (filetype.extent() < 0 || (filetype.size() != 0 && filetype.true_lb() < 0))
    base::fail(abi::ERR_IO, fmt::format("filetype={} has a negative displacement or extent", filetype.description()));
  std::int64_t last_start = -1, last_end = -1;
  each_run(filetype, [&](std::int64_t start, std::int64_t bytes) {
    if (start < last_start)
      base::fail(abi::ERR_IO, fmt::format("filetype={} has displacement {} after {}: displacements must not decrease",
                                          filetype.description(), start, last_start));
    if (start < last_end && !may_overlap)
      base::fail(abi::ERR_IO, fmt::format("filetype={} has overlapping parts at displacement {}: a file that is open "
                                          "for writing needs a filetype without",
                                          filetype.description(), start));
    last_start = start;
    last_end = start + bytes;
    return true;
  });
}

}  // namespace antiphon::objects
