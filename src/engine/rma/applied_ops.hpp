// The operations that a process has applied to one target's memory since it last knew all earlier ones to be
// complete. Kept only for windows whose info key accumulate_ops promises which operations are mixed (MPI 5.0,
// 12.2.1), to find where a program breaks that promise. Owned by the WindowState. An operation is identified by its
// name.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <string_view>

namespace antiphon::rma {

class AppliedOps {
 public:
  // A different operation that was applied to some of the bytes from `begin` to `end`; null if there is none.
  [[nodiscard]] const char* other_than(const char* op, std::uint64_t begin, std::uint64_t end) const {
    for (auto range = first_behind(begin); range != ranges_.end() && range->first < end; ++range)
      if (std::string_view(range->second.op) != op) return range->second.op;
    return nullptr;
  }
  // Notes an operation on bytes that no different operation was applied to.
  void note(const char* op, std::uint64_t begin, std::uint64_t end) {
    if (ranges_.size() == kMost) ranges_.clear();
    auto range = first_behind(begin);
    while (range != ranges_.end() && range->first < end) {
      begin = std::min(begin, range->first);
      end = std::max(end, range->second.end);
      range = ranges_.erase(range);
    }
    ranges_.emplace_hint(range, begin, Range{end, op});
  }

 private:
  static constexpr std::size_t kMost = 65'536;  // then all are forgotten, and some broken promises are not found

  struct Range {
    std::uint64_t end;
    const char* op;
  };
  using Ranges = std::map<std::uint64_t, Range>;  // by the address where they begin; they do not overlap

  // The first that ends behind `begin`.
  [[nodiscard]] Ranges::const_iterator first_behind(std::uint64_t begin) const {
    auto range = ranges_.upper_bound(begin);
    if (range != ranges_.begin() && std::prev(range)->second.end > begin) --range;
    return range;
  }

  Ranges ranges_;
};

}  // namespace antiphon::rma
