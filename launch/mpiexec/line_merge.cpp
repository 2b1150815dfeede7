#include "mpiexec/line_merge.hpp"

#include <algorithm>

namespace antiphon::launch {

std::size_t LineMerge::add_source(std::string label) {
  sources_.push_back({.label = std::move(label), .kept = {}});
  return sources_.size() - 1;
}

void LineMerge::feed(std::size_t number, std::string_view bytes, Clock::time_point now) {
  Source& source = sources_[number];
  source.last_fed = now;
  const std::size_t newline = bytes.rfind('\n');
  if (newline != std::string_view::npos || source.begun() == 0) source.begun_at = now;
  if (newline != std::string_view::npos) source.whole = source.kept.size() + newline + 1;
  source.kept += bytes;
}

void LineMerge::finish(std::size_t number) {
  Source& source = sources_[number];
  source.ended = true;
  if (!source.label.empty() && (source.begun() != 0 || source.in_line)) source.kept += '\n';
  source.whole = source.kept.size();
}

void LineMerge::forget_silence(Clock::time_point now) {
  for (Source& source : sources_) source.begun_at = source.last_fed = now;
}

// If a source has the floor, its bytes come first, and no others while it keeps it. Otherwise all complete lines are
// written, and then at most one source gets the floor.
void LineMerge::collect(Clock::time_point now, std::string* out) {
  if (floor_ != kNobody) {
    Source& source = sources_[floor_];
    write(floor_, source.kept.size(), out);
    const bool silent = now - source.last_fed >= kFloorLostAfter;
    if (source.ended || !source.in_line || (silent && others_wait()))
      floor_ = kNobody;
    else
      return;
  }
  for (std::size_t number = 0; number < sources_.size(); ++number) write(number, sources_[number].whole, out);
  for (std::size_t number = 0; number < sources_.size() && floor_ == kNobody; ++number) {
    const Source& source = sources_[number];
    const bool shown = is_prompt(source) && now - source.begun_at >= kPromptAfter;
    if (!shown && source.kept.size() <= kLongestKept) continue;
    write(number, source.kept.size(), out);
    floor_ = number;
  }
}

std::optional<LineMerge::Clock::time_point> LineMerge::next_collect() const {
  if (floor_ != kNobody) {
    if (!others_wait()) return std::nullopt;
    return sources_[floor_].last_fed + kFloorLostAfter;
  }
  std::optional<Clock::time_point> next;
  for (const Source& source : sources_)
    if (is_prompt(source)) next = std::min(next.value_or(Clock::time_point::max()), source.begun_at + kPromptAfter);
  return next;
}

bool LineMerge::is_empty() const {
  return std::ranges::all_of(sources_, [](const Source& source) { return source.kept.empty(); });
}

// Whether the incomplete line may be a prompt. Lines with a carriage return count as well, because programs use it to
// show their progress.
bool LineMerge::is_prompt(const Source& source) const {
  if (reader_ == Reader::file || source.begun() == 0) return false;
  const auto end =
      std::string_view(source.kept).substr(source.kept.size() - std::min(source.begun(), kLongestPrompt));
  return source.begun() <= kLongestPrompt || end.find('\r') != std::string_view::npos;
}

bool LineMerge::others_wait() const {
  for (std::size_t number = 0; number < sources_.size(); ++number)
    if (number != floor_ && (sources_[number].whole != 0 || is_prompt(sources_[number]))) return true;
  return false;
}

void LineMerge::write(std::size_t number, std::size_t bytes, std::string* out) {
  if (bytes == 0) return;
  Source& source = sources_[number];
  if (unfinished_ != kNobody && unfinished_ != number) {
    *out += '\n';
    sources_[unfinished_].in_line = false;
  }
  std::string_view rest = std::string_view(source.kept).substr(0, bytes);
  if (source.label.empty()) {
    out->append(rest);
    source.in_line = rest.back() != '\n';
  }
  while (!source.label.empty() && !rest.empty()) {
    const std::string_view line = rest.substr(0, std::min(rest.find('\n'), rest.size() - 1) + 1);
    if (!source.in_line) out->append(source.label);
    out->append(line);
    source.in_line = line.back() != '\n';
    rest.remove_prefix(line.size());
  }
  unfinished_ = source.in_line ? number : kNobody;
  source.kept.erase(0, bytes);
  source.whole -= std::min(source.whole, bytes);
}

}  // namespace antiphon::launch
