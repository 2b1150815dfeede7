#include "engine/pt2pt/experience.hpp"

#include <algorithm>
#include <bit>

namespace antiphon::pt2pt {

namespace {

// A sample also ends after this many bytes, because programs seldom have kLongRun very long messages under way.
constexpr std::uint64_t kMuch = std::uint64_t{1} << 20;

// After a trial of this many bytes, which is more than a pipe holds, all memory that a method uses is in caches.
constexpr std::uint64_t kWarm = std::uint64_t{2} << 20;
constexpr std::uint64_t kHopeless = 3;  // times as slow as the fastest method: too slow for a long trial

// Whether `cost` is lower by more than random variation.
constexpr bool is_clearly_less(std::uint64_t cost, std::uint64_t than) { return cost < than - than / 8; }

}  // namespace

Experience Experience::like(const Experience& other) {
  if (other.trying_) return {};
  Experience result = other;
  for (Known& known : result.known_) known.under_way = 0;
  result.all_under_way_ = 0;
  result.measuring_ = false;
  result.advised_ = kLately;
  return result;
}

WayName Experience::pick(unsigned refused) const {
  return (refused >> static_cast<unsigned>(way_) & 1) == 0 ? way_ : fastest(refused);
}

// Packets if all other methods are refused.
WayName Experience::fastest(unsigned refused) const {
  std::size_t best = kLearned;
  for (std::size_t way = 0; way < kLearned; ++way)
    if ((refused >> way & 1) == 0 && (best == kLearned || known_[way].cost < known_[best].cost)) best = way;
  return static_cast<WayName>(best);
}

void Experience::begun(WayName way, const Clock& clock) {
  if (way == WayName::packets) return;
  if (until_look_ == 0 && all_under_way_ == 0) measure_from(clock());
  ++known(way).under_way;
  ++all_under_way_;
}

void Experience::refused(WayName way) {
  Known& refusing = known(way);
  --refusing.under_way;
  --all_under_way_;
  if (!trying_ || way != way_) return;
  refusing.until_trial = kRefusedFor;
  take_fastest();
}

void Experience::ended(WayName way, std::size_t bytes, const Clock& clock) {
  if (way == WayName::packets) return;
  --known(way).under_way;
  --all_under_way_;
  advised_ = 0;
  if (until_look_ != 0) {
    --until_look_;
    return;
  }
  if (known(way_).under_way != all_under_way_) {
    measuring_ = false;
    return;
  }
  if (!measuring_ || way != way_) {
    if (all_under_way_ != 0) measure_from(clock());
    return;
  }
  ++sample_.messages;
  sample_.bytes += bytes;
  if (all_under_way_ == 0 || sample_.messages == kLongRun || sample_.bytes >= kMuch) take_sample(clock());
}

std::optional<WayName> Experience::advice() {
  if (advised_ == kLately) return {};
  ++advised_;
  return way_;
}

void Experience::measure_from(std::uint64_t now) {
  measuring_ = true;
  since_ = now;
  sample_ = {};
}

void Experience::take_sample(std::uint64_t now) {
  sample_.elapsed = now - since_;
  const Sample sample = sample_;
  measure_from(now);
  measuring_ = all_under_way_ != 0;
  trying_ ? learn_from_trial(sample) : learn_from_look(sample);
}

// The cost of a method is that of the best sample in a trial. The first sample does not count, because caches are
// cold and pages are fresh. A method whose cost is known already is tried for kWarm bytes, so that its memory is in
// caches, unless it is far too slow.
void Experience::learn_from_trial(const Sample& sample) {
  trial_.took += sample.elapsed;
  trial_.messages += sample.messages;
  trial_.bytes += sample.bytes;
  if (trial_.samples > 0) trial_.best = std::min(trial_.best, sample.cost());
  if (++trial_.samples < kSamples) return;
  Known& tried = known(way_);
  const bool is_first = tried.cost == kUnknown;
  const bool is_hopeless = trial_.best / kHopeless > known(fastest(0)).cost;
  if (!is_first && !is_hopeless && trial_.bytes < kWarm) return;
  tried.cost = trial_.best;
  const std::uint64_t with_those_under_way = trial_.took / trial_.messages * (trial_.messages + tried.under_way);
  tried.until_trial = tried.patience * static_cast<std::int64_t>(with_those_under_way);
  tried.patience = std::min(2 * tried.patience, kLastPatience);
  take_fastest();
}

// The cost is that of the better of the last two measurements, because a disturbance seldom affects both.
void Experience::learn_from_look(const Sample& sample) {
  until_look_ = kUnseen;
  Known& taken = known(way_);
  taken.cost = std::min(sample.cost(), last_look_);
  last_look_ = sample.cost();
  const auto gone_by = static_cast<std::int64_t>(sample.elapsed / sample.messages * (sample.messages + kUnseen));
  for (Known& other : known_) other.until_trial -= gone_by;
  for (std::size_t way = 0; way < kLearned; ++way)
    if (static_cast<WayName>(way) != way_ && known_[way].until_trial <= 0) return try_way(static_cast<WayName>(way));
  if (is_clearly_less(known(fastest(0)).cost, taken.cost)) take_fastest();
}

void Experience::try_way(WayName way) {
  trying_ = true;
  measuring_ = false;
  way_ = way;
  until_look_ = 0;
  trial_ = {};
}

// Tries a method of unknown cost first, if there is one.
void Experience::take_fastest() {
  for (std::size_t way = 0; way < kLearned; ++way)
    if (known_[way].cost == kUnknown && known_[way].until_trial <= 0) return try_way(static_cast<WayName>(way));
  trying_ = false;
  measuring_ = false;
  way_ = fastest(0);
  until_look_ = kUnseen;
  last_look_ = kUnknown;
}

std::size_t Experiences::kind_of(std::size_t bytes, Shape shape) {
  const std::size_t range = std::min<std::size_t>(static_cast<std::size_t>(std::bit_width(bytes)), kRanges - 1);
  return static_cast<std::size_t>(shape) * kRanges + range;
}

std::optional<WayName> Experiences::advice(int process, std::size_t bytes, Shape shape) {
  const auto found = known_.find(static_cast<std::uint64_t>(process) * kKinds + kind_of(bytes, shape));
  return found == known_.end() ? std::nullopt : found->second.advice();
}

Experience& Experiences::of(int source, std::size_t bytes, Shape shape) {
  const std::size_t kind = kind_of(bytes, shape);
  const auto [found, is_new] = known_.try_emplace(static_cast<std::uint64_t>(source) * kKinds + kind);
  if (is_new && latest_[kind]) found->second = Experience::like(*latest_[kind]);
  latest_[kind] = &found->second;
  return found->second;
}

}  // namespace antiphon::pt2pt
