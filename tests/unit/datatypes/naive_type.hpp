// A datatype as the standard defines it (MPI 5.0, 5.1): the list of its basic elements with their displacements,
// built entry by entry. Slow, and too simple to be wrong: what the layout engine is compared with.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "objects/datatype.hpp"

namespace antiphon::naive {

struct Entry {
  std::int64_t displacement;
  std::int64_t bytes;
  objects::Element element;
};

struct Type {
  std::vector<Entry> entries;
  std::vector<std::int64_t> lower_marks, upper_marks;
  std::int64_t alignment = 1;
  bool is_aligned = true;  // each copy lies at a multiple of its alignment, and so on within
  std::int64_t padded_end = 0;

  [[nodiscard]] std::int64_t size() const {
    std::int64_t sum = 0;
    for (const Entry& entry : entries) sum += entry.bytes;
    return sum;
  }
  [[nodiscard]] std::int64_t true_lb() const {
    std::int64_t least = entries.empty() ? 0 : entries.front().displacement;
    for (const Entry& entry : entries) least = std::min(least, entry.displacement);
    return least;
  }
  [[nodiscard]] std::int64_t true_ub() const {
    std::int64_t most = entries.empty() ? 0 : entries.front().displacement + entries.front().bytes;
    for (const Entry& entry : entries) most = std::max(most, entry.displacement + entry.bytes);
    return most;
  }
  [[nodiscard]] std::int64_t lb() const {
    return lower_marks.empty() ? true_lb() : *std::min_element(lower_marks.begin(), lower_marks.end());
  }
  [[nodiscard]] std::int64_t ub() const {
    if (!upper_marks.empty()) return *std::max_element(upper_marks.begin(), upper_marks.end());
    std::int64_t end = is_aligned ? true_ub() : std::max(true_ub(), padded_end);
    const std::int64_t low = lb();
    while (end > low && (end - low) % alignment != 0) ++end;
    return end;
  }
  [[nodiscard]] std::int64_t extent() const { return ub() - lb(); }

  // Adds a copy of `other`.
  void add(const Type& other, std::int64_t displacement) {
    is_aligned &= other.is_aligned && displacement % other.alignment == 0;
    if (!other.entries.empty())
      padded_end = entries.empty() ? other.ub() + displacement : std::max(padded_end, other.ub() + displacement);
    for (Entry entry : other.entries) {
      entry.displacement += displacement;
      entries.push_back(entry);
    }
    for (const std::int64_t mark : other.lower_marks) lower_marks.push_back(mark + displacement);
    for (const std::int64_t mark : other.upper_marks) upper_marks.push_back(mark + displacement);
    alignment = std::max(alignment, other.alignment);
  }
  void add_block(const Type& other, std::int64_t displacement, std::int64_t length) {
    for (std::int64_t i = 0; i < length; ++i) add(other, displacement + i * other.extent());
  }

  // Whether `count` of these, one after the other, use a byte twice.
  [[nodiscard]] bool overlaps(std::int64_t count) const {
    std::vector<std::pair<std::int64_t, std::int64_t>> ranges;
    for (std::int64_t i = 0; i < count; ++i)
      for (const Entry& entry : entries)
        ranges.emplace_back(entry.displacement + i * extent(), entry.displacement + i * extent() + entry.bytes);
    std::sort(ranges.begin(), ranges.end());
    for (std::size_t i = 1; i < ranges.size(); ++i)
      if (ranges[i].first < ranges[i - 1].second) return true;
    return false;
  }

  [[nodiscard]] std::vector<std::byte> pack(const std::byte* buffer, std::int64_t count) const {
    std::vector<std::byte> packed;
    for (std::int64_t i = 0; i < count; ++i)
      for (const Entry& entry : entries)
        for (std::int64_t b = 0; b < entry.bytes; ++b)
          packed.push_back(buffer[i * extent() + entry.displacement + b]);
    return packed;
  }
  // Only the first `bytes` of `packed`.
  void unpack(const std::byte* packed, std::int64_t bytes, std::byte* buffer, std::int64_t count) const {
    for (std::int64_t i = 0; i < count; ++i)
      for (const Entry& entry : entries)
        for (std::int64_t b = 0; b < entry.bytes && bytes > 0; ++b, --bytes)
          buffer[i * extent() + entry.displacement + b] = *packed++;
  }
};

}  // namespace antiphon::naive
