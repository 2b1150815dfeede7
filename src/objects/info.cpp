#include "objects/info.hpp"

#include <algorithm>

namespace antiphon::objects {

Ref<Info> Info::copy_of(const Info& other) {
  auto copy = Ref<Info>::adopt(new Info);
  copy->entries_ = other.entries_;
  return copy;
}

void Info::set(std::string_view key, std::string_view value) {
  const auto found = std::ranges::find(entries_, key, &Entry::key);
  if (found != entries_.end())
    found->value = value;
  else
    entries_.push_back({std::string(key), std::string(value)});
}

bool Info::erase(std::string_view key) {
  const auto found = std::ranges::find(entries_, key, &Entry::key);
  if (found == entries_.end()) return false;
  entries_.erase(found);
  return true;
}

const std::string* Info::find(std::string_view key) const {
  const auto found = std::ranges::find(entries_, key, &Entry::key);
  return found == entries_.end() ? nullptr : &found->value;
}

}  // namespace antiphon::objects
