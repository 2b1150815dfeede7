#include "naive_matcher.hpp"

#include <algorithm>

namespace antiphon::sim {

namespace {

bool fits(const Label& wish, const Label& label) {
  if (wish.context != label.context) return false;
  if (wish.source != Label::kAny && wish.source != label.source) return false;
  return wish.tag == Label::kAny || wish.tag == label.tag;
}

}  // namespace

void NaiveMatcher::post(int receive, const Label& wish) {
  const auto first =
      std::ranges::find_if(unexpected_, [&](const Entry& message) { return fits(wish, message.label); });
  if (first == unexpected_.end()) return posted_.push_back({receive, wish});
  matches_[receive] = first->number;
  unexpected_.erase(first);
}

void NaiveMatcher::arrive(int message, const Label& label) {
  const auto first = std::ranges::find_if(posted_, [&](const Entry& receive) { return fits(receive.label, label); });
  if (first == posted_.end()) return unexpected_.push_back({message, label});
  matches_[first->number] = message;
  posted_.erase(first);
}

std::optional<int> NaiveMatcher::peek(const Label& wish) const {
  const auto first =
      std::ranges::find_if(unexpected_, [&](const Entry& message) { return fits(wish, message.label); });
  return first == unexpected_.end() ? std::nullopt : std::optional(first->number);
}

}  // namespace antiphon::sim
