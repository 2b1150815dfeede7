// Tags that this process assigns for messages to itself. A lease of tags is exclusive until it ends, however many
// leases begin meanwhile, so messages are never confused. Belongs to the engine that assigns them, which outlives the
// leases; the lane protects it.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <utility>

namespace antiphon::pt2pt {

class TagLease;

class Tags {
 public:
  static constexpr std::int32_t kAll = std::numeric_limits<std::int32_t>::max();

  // Manages the tags from 0 to number - 1.
  explicit Tags(std::int32_t number = kAll) : number_(number) {}
  Tags(const Tags&) = delete;
  Tags& operator=(const Tags&) = delete;

  [[nodiscard]] std::int64_t number() const { return number_; }
  // Leases `count` consecutive tags. Returns an empty lease if there are not so many in a row now.
  [[nodiscard]] TagLease take(std::uint32_t count);

 private:
  friend class TagLease;

  // The first of `count` consecutive free tags from `begin` on; they may reach beyond the last tag. No lease that
  // starts before `begin` may reach beyond it.
  [[nodiscard]] std::int64_t find(std::int64_t begin, std::int64_t count) const {
    std::int64_t first = begin;
    for (auto lease = taken_.lower_bound(begin); lease != taken_.end() && lease->first - first < count; ++lease)
      first = lease->second;
    return first;
  }

  const std::int64_t number_;
  std::map<std::int64_t, std::int64_t> taken_;  // first tag and end of each lease
  std::int64_t next_ = 0;                       // the end of the newest lease
};

class TagLease {
 public:
  TagLease() = default;
  TagLease(Tags& tags, std::int32_t first) : tags_(&tags), first_(first) {}
  TagLease(TagLease&& other) noexcept : tags_(std::exchange(other.tags_, nullptr)), first_(other.first_) {}
  TagLease& operator=(TagLease&& other) noexcept {
    std::swap(tags_, other.tags_);
    std::swap(first_, other.first_);
    return *this;
  }
  ~TagLease() {
    if (tags_) tags_->taken_.erase(first_);
  }

  explicit operator bool() const { return tags_ != nullptr; }
  [[nodiscard]] std::int32_t first() const { return first_; }

 private:
  Tags* tags_ = nullptr;
  std::int32_t first_ = 0;
};

inline TagLease Tags::take(std::uint32_t count) {
  std::int64_t first = find(next_, count);
  if (first + count > number_) first = find(0, count);
  if (first + count > number_) return {};
  next_ = first + count;
  taken_.emplace(first, next_);
  return {*this, static_cast<std::int32_t>(first)};
}

}  // namespace antiphon::pt2pt
