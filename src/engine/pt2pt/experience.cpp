#include "engine/pt2pt/experience.hpp"

#include <algorithm>
#include <bit>

namespace antiphon::pt2pt {

namespace {
// Bytes that are a sample, too: windows of a program hold few very long messages, and all of them have begun before
// the first has ended.
constexpr std::uint64_t kMuch = std::uint64_t{1} << 20;
}  // namespace

WayName Experience::pick(unsigned refused) {
  const auto is_refused = [&](std::size_t way) { return (refused >> way & 1) != 0; };
  if (refused == 0 && !trying_ && --left_ == 0) try_all();
  if (!is_refused(static_cast<std::size_t>(way_))) return way_;
  std::size_t best = kWays;
  for (std::size_t way = 0; way < kWays; ++way)
    if (!is_refused(way) && (best == kWays || cost_[way] < cost_[best])) best = way;
  return static_cast<WayName>(best);
}

void Experience::begun(WayName way, const Clock& clock) {
  if (trying_ && all_under_way_ == 0) measure_from_now(clock);
  ++under_way(way);
  ++all_under_way_;
}

void Experience::refused(WayName way) {
  --under_way(way);
  --all_under_way_;
  if (trying_ && way == way_) try_next();
}

void Experience::ended(WayName way, std::size_t bytes, const Clock& clock) {
  --under_way(way);
  --all_under_way_;
  if (!trying_) return;
  if (way != way_) {  // a late one
    if (all_under_way_ == under_way(way_)) measure_from_now(clock);
    return;
  }
  if (all_under_way_ != under_way(way_)) return;
  ++messages_;
  bytes_ += bytes;
  if (all_under_way_ == 0 || messages_ == kLongRun || bytes_ >= kMuch) take_sample(clock());
}

void Experience::measure_from_now(const Clock& clock) {
  const std::uint64_t now = clock();
  pause_ = now - since_;
  since_ = now;
  messages_ = 0;
  bytes_ = 0;
}

void Experience::take_sample(std::uint64_t now) {
  std::uint64_t elapsed = now - since_;
  if (pause_ <= kShortPause * elapsed) elapsed += pause_;
  const auto sample =
      static_cast<std::uint64_t>(static_cast<double>(elapsed) / static_cast<double>(bytes_) * (1 << 30));
  since_ = now;
  pause_ = 0;
  messages_ = 0;
  bytes_ = 0;
  const std::uint64_t known = *std::ranges::min_element(cost_);
  if (cost(way_) != kUnknown && std::min(cost(way_), sample) / kHopeless > known) return try_next();
  if (samples_ > 0) fastest_ = std::min(fastest_, sample);
  if (++samples_ < kSamples) return;
  cost(way_) = fastest_;
  try_next();
}

void Experience::try_all() {
  trying_ = true;
  way_ = WayName{};
  samples_ = 0;
  fastest_ = kUnknown;
}

void Experience::try_next() {
  samples_ = 0;
  fastest_ = kUnknown;
  if (const auto next = static_cast<std::size_t>(way_) + 1; next < kWays) {
    way_ = static_cast<WayName>(next);
    return;
  }
  trying_ = false;
  way_ = static_cast<WayName>(std::ranges::min_element(cost_) - cost_.begin());
  left_ = interval_;
  interval_ = std::min(4 * interval_, kLastInterval);
}

std::size_t Experiences::range_of(std::size_t bytes) {
  return std::min<std::size_t>(static_cast<std::size_t>(std::bit_width(bytes)), kRanges - 1);
}

}  // namespace antiphon::pt2pt
